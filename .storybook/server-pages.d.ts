/** What the pages and the emails of the stories look like, by the toolbar's choice. */
declare module 'virtual:brands' {
  const brands: Readonly<Record<'neutral' | 'printmargin' | 'bright', import('early-access-server').Brand>>;
  export default brands;
}

/**
 * The pages that the server writes, by language and name. Rendered in Node, because their policies are hashed there.
 */
declare module 'virtual:server-pages/*' {
  const pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default pages;
}
