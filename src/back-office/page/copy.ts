/** Copies a text to the clipboard. @returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// Browsers have a clipboard only with TLS, or on the same machine.
		return copySelected(text);
	}
}

/** The old way, which also works without TLS. */
function copySelected(text: string): boolean {
	const before = document.activeElement;
	const area = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
	area.className = 'unseen';
	// Inside an open dialog, because nothing outside it can be selected.
	(before?.closest('dialog, [role=dialog]') ?? document.body).append(area);
	area.select();
	const copied = document.execCommand('copy');
	area.remove();
	if (before instanceof HTMLElement) before.focus();
	return copied;
}
