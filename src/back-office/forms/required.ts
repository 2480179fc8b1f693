/** The rules of a choice that has to be made. */
export const required = (message: string) => [{ required: true, message }];

/** The rules of a text that has to be typed. */
export const typed = (message: string) => [{ required: true, whitespace: true, message }];
