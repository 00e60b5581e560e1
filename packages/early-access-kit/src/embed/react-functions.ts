import {
  createContext,
  Fragment,
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

/** embed.js passes these to the overlay's script, because hooks only work in the copy of Preact that renders. */
export const react = {
  createContext,
  Fragment,
  jsx,
  jsxs,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
};
