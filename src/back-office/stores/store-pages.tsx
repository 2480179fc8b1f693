import { Route, Switch } from 'wouter';
import { useOwn } from '../account/own.ts';
import { storeKind } from '../employees/import-kind.ts';
import { ImportPage } from '../employees/import-page.tsx';
import { Problem } from '../page/loaded.tsx';
import { StoreListPage } from './store-list-page.tsx';
import { StorePage } from './store-page.tsx';

/** The pages below `/stores`. */
export default function StorePages() {
	const { can } = useOwn();
	return (
		<Switch>
			<Route path="/stores" component={StoreListPage} />
			<Route path="/stores/import">
				{can('store:manage') ? <ImportPage kind={storeKind} /> : <Problem missing="store:manage" />}
			</Route>
			<Route path="/stores/:id">{({ id }) => <StorePage key={id} id={id} />}</Route>
		</Switch>
	);
}
