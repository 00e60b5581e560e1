/** A stylesheet as text, its imports in place. */
declare module '*.css?inline' {
  const css: string;
  export default css;
}
