/** After how many milliseconds a test counts as hanging. It is no limit on speed: a busy machine takes its time. */
export const hanging = 300_000;
