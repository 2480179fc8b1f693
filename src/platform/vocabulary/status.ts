/** The statuses of an employee. */
export const employeeStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type EmployeeStatus = (typeof employeeStatuses)[number];

/** Whether an employee of a status works. An employee who does not work cannot sign in, and their last day is over. */
export const isWorking = { ACTIVE: true, INACTIVE: false } as const satisfies Record<EmployeeStatus, boolean>;

/** The statuses of a store. */
export const storeStatuses = ['ACTIVE', 'INACTIVE'] as const;
export type StoreStatus = (typeof storeStatuses)[number];

export type Status = EmployeeStatus | StoreStatus;

/** The labels of the statuses. */
export const statusLabels = { ACTIVE: '启用', INACTIVE: '禁用' } as const satisfies Record<Status, string>;

/** The verbs for a change to a status, in a sentence of the history. */
export const statusVerbs = { ACTIVE: '启用了', INACTIVE: '禁用了' } as const satisfies Record<Status, string>;
