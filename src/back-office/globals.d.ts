/** A style sheet is imported for its side effect. */
declare module '*.css';
