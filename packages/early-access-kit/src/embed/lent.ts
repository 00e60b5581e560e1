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

/** What the script lends to the overlay's, which has to be drawn by the same copy of everything that keeps state. */
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
