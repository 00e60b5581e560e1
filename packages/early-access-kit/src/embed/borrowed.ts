import { EXCHANGE, type Host } from './exchange.ts';

/** What the first script has lent. The build of the overlay's script puts this in the place of React. */
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
