/**
 * The document from top to bottom: its tags, and the operations of each, with the description of a success. The basic
 * service comes first, in the order in which an integrator needs it.
 */

interface Section {
	name: string;
	/** The page with more about it. */
	page: string;
	description: string;
	/** The description of a success, by operation. */
	operations: Record<string, string>;
	/** The basic service; Swagger UI shows the other sections closed. */
	isBasic?: true;
	/** Only the pages for browsers need these operations. */
	isForPages?: true;
}

const sectionsOf =
	(kind: Pick<Section, 'isBasic' | 'isForPages'>, prefix = '') =>
	(name: string, page: string, description: string, operations: Section['operations']): Section => {
		return { name: `${prefix}${name}`, page, description, operations, ...kind };
	};

const basic = sectionsOf({ isBasic: true });
const more = sectionsOf({}, 'More: ');
const forPages = sectionsOf({ isForPages: true });

/** The tags of the document, in its order. */
export const sections: readonly Section[] = [
	basic('Health', 'README', 'Whether the service works.', { getHealth: 'The service and its database work.' }),
	basic('Sign-in', 'sign-in', 'Signing in, and the signed-in account.', {
		login: 'Signed in: the token, and the account.',
		adminLogin: 'Signed in: the token, and the account.',
		employeeLogin: 'Signed in: the token, and the account.',
		getMe: 'The signed-in account, with its permissions of this moment.',
	}),
	basic('Permissions', 'permissions', 'The permissions of each role.', {
		getOwnPermissions: 'The permissions of the caller, and the menus that they open.',
		listPermissionPolicies: 'The policy of each role, the super administrator first.',
		getPermissionDefinitions: 'All permissions that a role can hold, in groups, and the menus.',
		replaceRolePermissions: 'The role holds these permissions, and those that they need.',
	}),
	basic('Stores', 'people', 'The stores of the chain and the people in them.', {
		listStores: 'The stores, in the shape that the parameters ask for.',
		getStore: 'The store, and its employees.',
		listStoreEmployees: 'The employees of the store.',
		createStore: 'The store exists.',
		updateStore: 'The store is changed.',
		removeStoreEmployee: 'The employee is deleted, and the phone number is free.',
		deleteStore: 'The store is deleted, and its name is free.',
	}),
	basic('Roles', 'permissions', 'Named sets of permissions that employees hold.', {
		listRoles: 'The roles, in the shape that the parameters ask for.',
		getRole: 'The role.',
		createRole: 'The role exists. It holds no permissions yet.',
		updateRole: 'The role is changed.',
		deleteRole: 'The role is deleted, and its code is free.',
	}),
	basic('Employees', 'people', 'The people who work in the stores.', {
		listEmployees: 'One page of the employees that the caller sees.',
		getEmployee: 'The employee.',
		createEmployee: 'The employee exists, and can sign in with the initial password where it is allowed.',
		updateEmployee: 'The employee is changed.',
		setEmployeeStatus: 'The employee has this status. A disabled one cannot sign in.',
		changeEmployeePassword: 'The password is changed, and all tokens of the employee have ended.',
		resetEmployeePassword:
			'The employee has the initial password, or none where REQUIRE_OWN_PASSWORD is on. All their tokens have ended.',
		deleteEmployee: 'The employee is deleted, and the phone number is free.',
	}),
	more('stores', 'people', 'Lists of one shape each, closing a store, and many stores at once.', {
		listAllStores: 'Every store.',
		listStoreOptions: 'The active stores.',
		listStorePage: 'One page of stores.',
		changeStores: 'All of the stores are changed, or would be.',
		getStoreClosing: 'The people moved by the closing.',
		closeStore: 'The employees are moved, and the store is disabled or deleted.',
	}),
	more('areas', 'people', 'Parts of the chain, each with some of its stores.', {
		listAreas: 'All areas.',
		createArea: 'The area exists.',
		getArea: 'The area.',
		updateArea: 'The area has this name.',
		deleteArea: 'The area is deleted. Its stores have none.',
	}),
	more(
		'roles and permissions',
		'permissions',
		'Lists of one shape each, the people of a role, one policy, and permissions that the chain makes for its own programs.',
		{
			listAllRoles: 'Every role.',
			listRolePage: 'One page of roles.',
			listRoleEmployees: 'One page of the employees with this role.',
			getRolePermissions: 'The policy of the role.',
			listPermissionPoints: 'The permissions that the chain made.',
			createPermissionPoint: 'The permission exists. No role holds it yet.',
			getPermissionPoint: 'The permission.',
			updatePermissionPoint: 'The permission is changed.',
			deletePermissionPoint: 'The permission is deleted, and no role or program holds it.',
		},
	),
	more('employees', 'people', 'Explained permissions, last days, several stores, and restored employees.', {
		listEmployeeOptions: 'The stores to hire into, and the roles to give.',
		explainEmployeeAccess: 'The permissions of the employee, with their roles, and whether sign-in works.',
		giveEmployeeRole: 'The employee holds the role.',
		getEmployeeReach: 'The stores and areas that were given.',
		replaceEmployeeReach: 'The employee has these stores and areas, and no others.',
		restoreEmployee: 'The employee is back, enabled.',
		giveOneTimePassword: 'The one-time password, which nothing shows again.',
		giveOneTimePasswords: 'The one-time passwords, which nothing shows again.',
		removeEmployeeSecondFactor: 'The employee signs in without a code.',
		endEmployeeSignIns: 'All sign-ins of the employee are over.',
		changeEmployees: 'All of the people are changed, or would be.',
		undoEmployeeChanges: 'The change is undone.',
	}),
	more('own account', 'sign-in', "The caller's own password, second factor and sign-ins.", {
		renewToken: 'A new token. The previous one stays valid until it expires.',
		logout: 'Signed out: the tokens of this sign-in have ended.',
		getOwnPassword: "The state of the caller's own password.",
		changeOwnPassword: 'The password is changed. All earlier tokens have ended, and this one is new.',
		listOwnSignIns: 'The newest sign-ins, and which of them are live.',
		endOwnSignIn: 'The sign-in is over: its tokens have ended.',
		getSecondFactor: 'The state of the second factor.',
		startSecondFactor: 'A secret, which takes effect once PUT has confirmed it.',
		enableSecondFactor: 'The second factor is on. Nothing shows the recovery codes again.',
		disableSecondFactor: 'The second factor is off.',
		renewRecoveryCodes: 'New recovery codes. The old ones are void.',
	}),
	more('approvals', 'approvals', 'Asking an employee with more rights for one thing.', {
		requestApproval: 'Approved, once, for this subject.',
		listApprovals: 'The newest approvals of the subject.',
		getApproval: 'The approval.',
		getApprovalCode: 'The six digits of this moment.',
		listOwnApprovals: 'The newest approvals that the caller gave.',
	}),
	more('administrators and chain', 'people', 'The accounts with all permissions, and the name of the chain.', {
		listAdministrators: 'All super administrators.',
		createAdministrator: 'The account exists. Nothing shows its password again.',
		deleteAdministrator: 'The account is gone, and its tokens have ended.',
		getChain: 'The name of the chain.',
		nameChain: 'The chain has this name.',
	}),
	more('programs', 'permissions', 'Callers with a key of their own instead of an account.', {
		listPrograms: 'All programs.',
		createProgram: 'The program exists. Nothing shows its key again.',
		getProgram: 'The program.',
		updateProgram: 'The program is changed.',
		deleteProgram: 'The program is deleted, and its keys have ended.',
		renewProgramKey: 'Another key, which nothing shows again.',
		renewClientSecret: 'Another client secret, which nothing shows again.',
	}),
	more('changes', 'copies', 'The changes, for programs that keep a copy.', {
		listChanges: 'One page of changes, and the cursor behind it.',
	}),
	more('files', 'files', 'Spreadsheets of people, stores and the history.', {
		exportEmployees: 'The file.',
		getImportTemplate: 'The file.',
		importEmployees: 'The result of the import. With dryRun=true nothing is changed.',
		exportStores: 'The file.',
		getStoreImportTemplate: 'The file.',
		importStores: 'The result of the import. With dryRun=true nothing is changed.',
		exportHistory: 'The file.',
	}),
	more('history', 'files', 'The records of all changes and sign-ins.', {
		listHistory: 'One page of the records, the newest first.',
		getHistoryRecord: 'The record.',
	}),
	forPages(
		'Only for the pages',
		'people',
		'The back office and the own-account page need these; other programs rarely do.',
		{
			getOverview: 'The key figures of the chain.',
			getReachOverview: 'The key figures of the stores that the caller sees.',
			listStoreActivity: 'The figures of the stores.',
			countRoleHolders: 'The number of employees for each role that somebody holds.',
			listHelpers: 'The title of the permission, and colleagues who hold it.',
			proposeRoleCode: 'A code that no role has.',
			listReadings: 'The readings of each character.',
			listOwnPermissionDefinitions: 'The permissions that the caller holds, with their titles.',
			markImport: 'The same file with one more column.',
			markStoreImport: 'The same file with one more column.',
		},
	),
];

const places = new Map(
	sections.flatMap((section) => Object.entries(section.operations).map(([id, success]) => [id, { section, success }])),
);
const order = [...places.keys()];

/** The place of an operation in the document. @throws Error for an operation without one */
export function placeOf(operationId: string) {
	const place = places.get(operationId);
	if (!place) throw new Error(`outline.ts has no place for the operation ${operationId}`);
	return { ...place, position: order.indexOf(operationId) };
}
