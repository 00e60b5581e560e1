import {
  createContext,
  Fragment,
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react';
import { jsx, jsxs } from 'react/jsx-runtime';

/** The functions that embed.js shares with the overlay's script, so that both render with the same copy of all stateful code. */
export const lent = [
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
] as const;
