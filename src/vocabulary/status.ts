/** What a store or an employee can be. */
export const statuses = ['ACTIVE', 'INACTIVE'] as const;
/** One of {@link statuses}. */
export type Status = (typeof statuses)[number];
