/**
 * The part of React's API that the widgets use, implemented with Preact. The embed builds replace `react` and
 * `react-dom` with this module. `preact/compat` would add 1.4 kB for features that the widgets do not need, such as
 * React's names of events and SVG attributes.
 */
import {
  type ComponentChildren,
  type ComponentType,
  type ContainerNode,
  createElement,
  render,
  type VNode,
} from 'preact';

export { createContext, createPortal, Fragment } from 'preact';
export * from 'preact/hooks';
export { jsx as jsxs };

export function createRoot(container: ContainerNode) {
  return { render: (content: ComponentChildren) => render(content, container) };
}

/**
 * The JSX runtime. Exposes every element with a class to the host's `::part()`, named after the last segment:
 * eak-form__input is `input`. Preact's own runtime would be a second copy of `createElement`.
 */
export function jsx(type: string | ComponentType, props: { readonly className?: string }, key?: string): VNode {
  const { className } = props;
  const part = typeof type === 'string' && className && { part: className.replace(/eak-(\w+__)?/g, '') };
  return createElement<object>(type, { ...props, ...part, key });
}
