/** The brand of the stories' pages and emails, by the toolbar's setting. */
declare module 'virtual:brands' {
  const brands: Readonly<Record<'neutral' | 'printmargin' | 'bright', import('early-access-server').Brand>>;
  export default brands;
}

/** The pages that the server renders, by language and name. Rendered in Node.js, because their policies use hashes. */
declare module 'virtual:server-pages/*' {
  const pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default pages;
}
