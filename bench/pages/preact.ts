/** What of Preact the embed is built with, in place of React. */
export { createContext, createElement, createPortal, Fragment, options, render } from 'preact';
export * from 'preact/hooks';
