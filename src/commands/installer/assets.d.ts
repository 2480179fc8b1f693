/** The units are embedded in the program as texts. */
declare module '*.timer' {
	const text: string;
	export default text;
}
declare module '*.service' {
	const text: string;
	export default text;
}
declare module '*.conf' {
	const text: string;
	export default text;
}
