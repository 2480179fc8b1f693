/** The unit is embedded in the program as a text. */
declare module '*.timer' {
	const text: string;
	export default text;
}
declare module '*.service' {
	const text: string;
	export default text;
}
