/**
 * The part of React that the widgets' tests use: the module that the embed builds use, and `StrictMode`, which Preact
 * does without.
 */

export { Fragment as StrictMode } from 'preact';
export * from '../../src/embed/preact-as-react.ts';
