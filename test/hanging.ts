/**
 * After how many milliseconds a test counts as hanging. It is no limit on speed: a busy machine takes its time. Each test file
 * sets it: a default of bunfig.toml or of a preload holds in the first file only.
 */
export const hanging = 300_000;
