import { Route, Switch } from 'wouter';
import { StoreListPage } from './store-list-page.tsx';
import { StorePage } from './store-page.tsx';

/** The pages below `/stores`. */
export default function StorePages() {
	return (
		<Switch>
			<Route path="/stores">
				<StoreListPage />
			</Route>
			<Route path="/stores/:id">{({ id }) => <StorePage key={id} id={id} />}</Route>
		</Switch>
	);
}
