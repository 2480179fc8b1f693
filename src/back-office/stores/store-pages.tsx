import { Route, Switch } from 'wouter';
import { storeKind } from '../employees/import-kind.ts';
import { ImportPage } from '../employees/import-page.tsx';
import { Problem } from '../page/loaded.tsx';
import { StoreListPage } from './store-list-page.tsx';
import { StorePage } from './store-page.tsx';

/** The pages below `/stores`. */
export default function StorePages() {
	return (
		<Switch>
			<Route path="/stores" component={StoreListPage} />
			<Route path="/stores/import">
				<ImportPage kind={storeKind} />
			</Route>
			<Route path="/stores/:id">{({ id }) => <StorePage key={id} id={id} />}</Route>
			<Route>
				<Problem />
			</Route>
		</Switch>
	);
}
