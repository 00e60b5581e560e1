/** What the widgets' tests use of React beside what the widgets do. */

export { Fragment as StrictMode } from 'preact';
export * from '../../src/embed/react.ts';
