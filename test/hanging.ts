/**
 * The time in milliseconds after which a test counts as hanging. It is no speed limit: a busy machine takes its time. Each
 * test file sets it, because a default of bunfig.toml or of a preload applies to the first file only: by `Service.start`,
 * `openScreens`, `removeFoldersAfterAll`, or itself.
 */
export const hanging = 300_000;
