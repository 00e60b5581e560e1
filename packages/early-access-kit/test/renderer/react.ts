/** What the widgets' tests use of React beside what the widgets do. */
export * from '../../src/embed/react.ts';
export { Fragment as StrictMode } from '../../src/embed/renderer/vnode.ts';
