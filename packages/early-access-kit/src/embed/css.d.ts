/** A stylesheet as text, with its imports inlined. */
declare module '*.css?inline' {
  const css: string;
  export default css;
}
