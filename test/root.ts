/** Whether root runs the tests. CI runs all files as root, and files that depend on the user also as an ordinary user. */
export const isRoot = process.getuid?.() === 0;
