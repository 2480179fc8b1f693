/** The name of Ant Design's style sheet; given by the bundler. */
declare const ANT_DESIGN_STYLES: string;

/** Style sheets are imported for their effect. */
declare module '*.css';
