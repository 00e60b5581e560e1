/**
 * The pages that the server writes, by language and name. Rendered in Node, because their policies are hashed there.
 */
declare module 'virtual:server-pages' {
  const pages: Readonly<Record<string, Readonly<Record<string, string>>>>;
  export default pages;
}
