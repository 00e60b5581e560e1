/** A stylesheet as text. */
declare module '*.css?raw' {
  const text: string;
  export default text;
}
