/** The files of the back office when the program runs from source. `commands/build.ts` puts the embedded ones in place of this module. */
import type { Files } from './bundle.ts';

/** The bundled files, compressed for the way they are served: made when they are first asked for, and after a change. */
export async function loadFiles(): Promise<Files> {
	const { bundleWhenChanged } = await import('./bundle.ts');
	return bundleWhenChanged();
}
