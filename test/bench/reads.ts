/** The reads that are measured, and by how many clients. */

/** One client at a time, and a busy service. */
export const crowds = [1, 32] as const;

/** A GET of a path, which may depend on the number of employees. */
export interface Read {
	name: string;
	path: (employees: number) => string;
	/** Whether the floor answers the same. */
	floor?: boolean;
	/** Whether an employee asks; otherwise the super administrator does. */
	asEmployee?: boolean;
}

const keyword = (text: string) => () => `/api/employees?keyword=${encodeURIComponent(text)}`;

export const reads: readonly Read[] = [
	{ name: 'health', path: () => '/health' },
	{ name: 'own account', path: () => '/api/auth/me', floor: true, asEmployee: true },
	{ name: 'a store with its people', path: () => '/api/stores/7' },
	{ name: 'one role', path: () => '/api/roles/2', floor: true },
	{ name: 'one employee', path: () => '/api/employees/77', floor: true },
	{ name: 'stores, first 20', path: () => '/api/stores?page=1&includeInactive=true', floor: true },
	{ name: 'employees, first 20', path: () => '/api/employees', floor: true },
	{ name: 'employees, last page of 25', path: (employees) => `/api/employees?pageSize=25&page=${employees / 25}` },
	{ name: 'employees of a store and status', path: () => '/api/employees?storeId=7&status=ACTIVE' },
	{ name: 'keyword 王 (one in 20)', path: keyword('王') },
	{ name: 'keyword 王, page 2', path: () => `${keyword('王')()}&page=2` },
	{ name: 'keyword 芳 (one character)', path: keyword('芳') },
	{ name: 'keyword 王芳 (two characters)', path: keyword('王芳') },
	{ name: 'keyword 38 (part of a phone)', path: keyword('38') },
	{ name: 'keyword 611953 (part of a phone)', path: keyword('611953') },
	{ name: 'keyword without a hit', path: keyword('龘龘') },
];
