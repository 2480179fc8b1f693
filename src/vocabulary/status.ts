/** What a store or an employee can be. */
export const statuses = ['ACTIVE', 'INACTIVE'] as const;
export type Status = (typeof statuses)[number];
