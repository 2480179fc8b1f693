import { storeKind } from '../employees/import-kind.ts';
import { ImportPage } from '../employees/import-page.tsx';
import { StoreListPage } from './store-list-page.tsx';
import { StorePage } from './store-page.tsx';

/** The pages below `/stores`. */
export default [
	{ path: '/stores', Page: StoreListPage },
	{ path: '/stores/import', needs: 'store:manage', Page: () => <ImportPage kind={storeKind} /> },
	{ path: '/stores/:id', Page: StorePage },
] as const;
