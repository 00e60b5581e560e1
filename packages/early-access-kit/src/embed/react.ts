import { type ComponentType, createElement, type Options, options, render, type VNode } from 'preact';

/**
 * What the widgets use of React, on Preact: the builds of the embed put this in the place of `react` and `react-dom`. It is Preact's own
 * compatibility layer cut down to the differences that the widgets meet, because the whole of it would weigh as much as a third of Preact.
 */
export { createContext, createPortal, Fragment } from 'preact';
export {
  useCallback,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'preact/hooks';

/** Nothing is rendered on a server, so that there is one snapshot; nor does any store of the widgets ever change. */
export function useSyncExternalStore<T>(_subscribe: unknown, snapshot: () => T): T {
  return snapshot();
}

export function createRoot(container: Element | ShadowRoot) {
  return { render: (tree: VNode) => render(tree, container) };
}

/** What JSX is compiled to; children are among the props. */
export function jsx(type: string | ComponentType, props: object, key?: string): VNode {
  return createElement(type, key === undefined ? props : { ...props, key });
}
export { jsx as jsxs };

/** Names that React gives to what the DOM calls otherwise. */
const DOM_NAMES: Readonly<Record<string, string>> = {
  onChange: 'onInput',
  spellCheck: 'spellcheck',
  strokeLinecap: 'stroke-linecap',
  strokeWidth: 'stroke-width',
};

const before: Options['vnode'] = options.vnode;
options.vnode = (vnode) => {
  if (typeof vnode.type === 'string') {
    const props: typeof vnode.props & Record<string, unknown> = { children: undefined };
    for (const [name, value] of Object.entries(vnode.props)) props[DOM_NAMES[name] ?? name] = value;
    // Every element with a class is a part for the host's `::part()`, by the last piece of that name: eak-form__input is `input`.
    if (typeof props.className === 'string') props.part = props.className.replace(/eak-(\w+__)?/g, '');
    vnode.props = props;
  }
  before?.(vnode);
};
