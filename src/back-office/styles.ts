/** The styles of Ant Design's components. */
import { createCache } from '@ant-design/cssinjs';

/**
 * Makes a cache that holds the styles of every component that was shown once. The default one forgets them when the last
 * component of a kind disappears, so each page, form and menu would make the same styles again.
 */
export function createStyleCache() {
	const cache = createCache();
	const update = cache.opUpdate.bind(cache);
	cache.opUpdate = (path, change) =>
		update(path, (before) => {
			const after = change(before);
			// A pair of a count and the styles. Other entries, such as the colours of a theme, end with their last use.
			return after === null && before && path.startsWith('style%') ? [0, before[1]] : after;
		});
	return cache;
}
