/** The part of React that the widgets' tests use: the embed builds' module plus `StrictMode`, which Preact lacks. */

export { Fragment as StrictMode } from 'preact';
export * from '../../src/embed/preact-as-react.ts';
