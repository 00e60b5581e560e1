/**
 * The part of React's API that the widgets use, from Preact. The embed builds replace `react` and `react-dom` with this module.
 * `preact/compat` would add 1.4 kB for what the widgets do without: React's own names of events and SVG attributes.
 */
import { type ComponentChildren, type ContainerNode, options, render } from 'preact';

export { createContext, createPortal, Fragment } from 'preact';
export * from 'preact/hooks';
export { jsx, jsxs } from 'preact/jsx-runtime';

export function createRoot(container: ContainerNode) {
  return { render: (content: ComponentChildren) => render(content, container) };
}

const { vnode: nextHook } = options;
/** Makes every element with a class a part for the host's `::part()`, named after the last segment: eak-form__input is `input`. */
options.vnode = (vnode) => {
  const { type, props } = vnode;
  if (typeof type === 'string' && 'className' in props) {
    Object.assign(props, { part: String(props.className).replace(/eak-(\w+__)?/g, '') });
  }
  nextHook?.(vnode);
};
