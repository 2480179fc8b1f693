/**
 * The floor: what Bun and SQLite give when a request is answered by hand-written SQL and JSON.stringify, the read of the
 * account included, without checking a token or permission, validation, framework, log or headers. Its values are bound as the service binds them, so that SQLite does not
 * plan joins again. Started by the bench as `bun floor.ts <database>`.
 */
import { Database } from 'bun:sqlite';

const db = new Database(process.argv[2] ?? '', { readonly: true, strict: true });

// The account that the service reads at every request: the administrator's, and an employee's for their own account.
const administrator = db.query('select id, username, token_version from administrators where id = (select ?)');
const account = db.query(`select e.id, e.name, e.token_version, e.status, e.store_id, s.status as storeStatus,
	(select group_concat(p.permission) from employee_roles l join role_permissions p on p.role_id = l.role_id
	where l.employee_id = e.id and l.unbound_at is null and p.deleted_at is null) as codes
	from employees e join stores s on s.id = e.store_id where e.id = (select ?) and e.deleted_at is null`);
const me = db.query(`select e.id, e.phone as username, e.name as displayName, e.store_id as storeId, s.name as storeName
	from employees e join stores s on s.id = e.store_id where e.id = (select ?) and e.deleted_at is null`);
const store = db.query(`select id, name, address, phone, status, created_at as createdAt, updated_at as updatedAt
	from stores where id = ? and deleted_at is null`);
const role =
	db.query(`select id, code, name, description, is_system as isSystem, created_at as createdAt, updated_at as updatedAt
	from roles where id = ? and deleted_at is null`);
const columns = `e.id, e.store_id as storeId, s.name as storeName, s.status as storeStatus, e.name, e.phone, e.status,
	e.remark, e.created_at as createdAt, e.updated_at as updatedAt`;
const employee = db.query(`select ${columns} from employees e join stores s on s.id = e.store_id
	where e.id = (select ?) and e.deleted_at is null`);
const page = db.query(`select ${columns} from employees e join stores s on s.id = e.store_id
	where e.deleted_at is null order by e.id limit (select ?) offset (select ?)`);
const total = db.query<{ total: number }, []>('select count(*) as total from employees where deleted_at is null');
const storePage = db.query(`select id, name, address, phone, status, created_at as createdAt, updated_at as updatedAt
	from stores where deleted_at is null order by id limit ? offset ?`);
const storeTotal = db.query<{ total: number }, []>('select count(*) as total from stores where deleted_at is null');
const rolesOf = db.query<{ id: number; code: string; name: string }, [number]>(
	'select r.id, r.code, r.name from employee_roles l join roles r on r.id = l.role_id where l.employee_id = (select ?) and l.unbound_at is null',
);

interface EmployeeRow {
	id: number;
	status: string;
}

function full(row: EmployeeRow) {
	const tag = { code: `EMPLOYEE_${row.status}`, label: '员工启用', variant: 'success' };
	return { ...row, statusTags: [tag], roles: rolesOf.all(row.id) };
}

const json = { headers: { 'content-type': 'application/json' } };

function answer(data: unknown): Response {
	return new Response(JSON.stringify({ success: true, data }), json);
}

const server = Bun.serve({
	port: 0,
	hostname: '127.0.0.1',
	fetch({ url }) {
		const path = url.slice(url.indexOf('/', 8));
		const id = Number(path.slice(path.lastIndexOf('/') + 1));
		if (path === '/api/auth/me') account.get(1);
		else administrator.get(1);
		if (path === '/api/auth/me') return answer({ ...(me.get(1) as object), roles: rolesOf.all(1), permissions: ['*'] });
		if (path.startsWith('/api/stores/')) return answer({ ...(store.get(id) as object) });
		if (path.startsWith('/api/roles/')) return answer(role.get(id));
		if (path.startsWith('/api/employees/')) return answer(full(employee.get(id) as EmployeeRow));
		const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
		const pageSize = Number(query.get('pageSize') ?? 20);
		const number = Number(query.get('page') ?? 1);
		const stores = path.startsWith('/api/stores');
		const count = (stores ? storeTotal : total).get()?.total ?? 0;
		const rows = (stores ? storePage : page).all(pageSize, (number - 1) * pageSize);
		const items = stores ? rows : (rows as EmployeeRow[]).map(full);
		const pagination = { page: number, pageSize, total: count, totalPages: Math.ceil(count / pageSize) };
		return answer({ items, pagination });
	},
});
console.log(JSON.stringify({ message: 'listening', url: server.url.origin }));
