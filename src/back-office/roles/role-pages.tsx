import { Route } from 'wouter';
import { RoleListPage } from './role-list-page.tsx';

/** The pages below `/roles`: a role is shown beside the list. */
export default function RolePages() {
	return <Route path="/roles/:id?">{({ id }) => <RoleListPage openId={id} />}</Route>;
}
