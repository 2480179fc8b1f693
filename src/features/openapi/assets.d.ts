/** Files that are embedded in the binary: importing one gives its path. */
declare module 'swagger-ui-dist/*' {
	const path: string;
	export default path;
}
