/** A stylesheet as text. */
declare module '*.css?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: as Vite has it
  export default text;
}
