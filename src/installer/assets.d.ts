/** The unit is embedded in the program as a text. */
declare module '*.service' {
	const text: string;
	export default text;
}
