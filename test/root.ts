/** Whether root runs the tests. CI runs all files as root, and those that depend on the user as an ordinary one, too. */
export const isRoot = process.getuid?.() === 0;
