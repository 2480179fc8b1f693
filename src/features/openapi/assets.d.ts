/** Files that are embedded in the binary: importing one gives its path. */
declare module 'swagger-ui-dist/*' {
	const path: string;
	export default path;
}
declare module '*/start.js' {
	const path: string;
	export default path;
}
declare module '*/page.css' {
	const path: string;
	export default path;
}
