/** A stylesheet as text, its imports in place. */
declare module '*.css?inline' {
  const css: string;
  // biome-ignore lint/style/noDefaultExport: that is what bundlers make of it
  export default css;
}
