import { createContext, createPortal, Fragment, options, render } from 'preact';
import * as hooks from 'preact/hooks';
import { jsx, jsxs } from 'preact/jsx-runtime';

Object.assign(globalThis, { createContext, createPortal, Fragment, options, render, hooks, jsx, jsxs });
