/** What a store or an employee can be. */
export const statuses = ['ACTIVE', 'INACTIVE'] as const;
export type Status = (typeof statuses)[number];

/** What people call it. */
export const statusLabels = { ACTIVE: '启用', INACTIVE: '禁用' } as const satisfies Record<Status, string>;
