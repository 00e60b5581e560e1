import { Tree } from './renderer/tree.ts';

/**
 * The part of React's API that the widgets use. The embed builds replace `react` and `react-dom` with it, because React or Preact would
 * be larger than all widgets together.
 */
export { createContext, useContext } from './renderer/context.ts';
export {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
} from './renderer/hooks.ts';
export { createPortal, Fragment, jsx, jsx as jsxs } from './renderer/vnode.ts';

export function createRoot(container: Element | ShadowRoot): Tree {
  return new Tree(container);
}
