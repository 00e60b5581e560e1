import { Tree } from './renderer/tree.ts';

/**
 * What the widgets use of React: the builds of the embed put this in the place of `react` and `react-dom`, because React, or Preact,
 * would weigh more than all of the widgets.
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
