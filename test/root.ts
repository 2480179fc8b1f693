/** Whether root runs the tests. CI runs the files that name this one as root, and all files as an ordinary user. */
export const isRoot = process.getuid?.() === 0;
