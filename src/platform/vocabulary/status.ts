/** What an employee can be. */
export const employeeStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type EmployeeStatus = (typeof employeeStatuses)[number];

/** What a store can be. */
export const storeStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

export type Status = EmployeeStatus | StoreStatus;

/** What people call it. */
export const statusLabels = { ACTIVE: '启用', INACTIVE: '禁用' } as const satisfies Record<Status, string>;

/** What a sentence of the history calls a change to it. */
export const statusVerbs = { ACTIVE: '启用了', INACTIVE: '禁用了' } as const satisfies Record<Status, string>;
