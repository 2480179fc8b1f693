/** Asks for a new password while the initial one is in use. */
export function InitialPasswordNotice() {
	return null;
}
