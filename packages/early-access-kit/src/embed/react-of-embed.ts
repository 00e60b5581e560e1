import { type EmbedWindow, SCRIPTS } from './scripts.ts';

/** React's functions as embed.js provides them. The build of the overlay's script replaces React with this module. */
const host: EmbedWindow = window;
const found = host[SCRIPTS];
if (!found) throw new Error('early-access-kit: this script is loaded by embed.js');

export const scripts = found;
export const {
  createContext,
  Fragment,
  jsx,
  jsxs,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} = scripts.react;
