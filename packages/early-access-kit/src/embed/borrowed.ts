import { EXCHANGE, type Host } from './exchange.ts';

/** The functions shared by embed.js. The build of the overlay's script replaces React with this module. */
const host: Host = window;
const found = host[EXCHANGE];
if (!found) throw new Error('early-access-kit: this script is loaded by embed.js');

export const exchange = found;
export const [
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
] = exchange.lent;
