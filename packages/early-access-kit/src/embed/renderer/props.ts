import type { Props } from './vnode.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** JSX names that differ from HTML and SVG. For the rest, HTML ignores case. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  className: 'class',
  htmlFor: 'for',
  defaultValue: 'value',
  strokeLinecap: 'stroke-linecap',
  strokeWidth: 'stroke-width',
};

/** Attributes that are set to "false" instead of removed. */
const SAYS_FALSE = /^(aria-|data-|spellCheck|focusable)/;

export function createElement(type: string, parent: Element | ShadowRoot | undefined): Element {
  return type === 'svg' || (parent instanceof Element && parent.namespaceURI === SVG)
    ? document.createElementNS(SVG, type)
    : document.createElement(type);
}

/** Updates the element from its previous props to its new ones. */
export function setProps(element: Element, before: Props, after: Props): void {
  for (const name of Object.keys({ ...before, ...after })) {
    if (name !== 'children' && name !== 'ref' && before[name] !== after[name]) setProp(element, name, after[name]);
  }
}

function setProp(element: Element, name: string, value: unknown): void {
  if (/^on[A-Z]/.test(name)) setListener(element, name, value);
  else if (name === 'style') setStyle(element, value);
  else {
    const attribute = ATTRIBUTES[name] ?? name;
    if (value === undefined || value === null || (value === false && !SAYS_FALSE.test(name))) {
      element.removeAttribute(attribute);
    } else {
      element.setAttribute(attribute, value === true && !SAYS_FALSE.test(name) ? '' : String(value));
    }
    // Every element with a class is a part for the host's `::part()`, named after the last segment: eak-form__input is `input`.
    if (name === 'className') element.setAttribute('part', String(value).replace(/eak-(\w+__)?/g, ''));
  }
}

const listeners = new WeakMap<Element, Map<string, unknown>>();

/** Adds one DOM listener per event type, which calls the latest handler. */
function setListener(element: Element, name: string, handler: unknown): void {
  const handlers = listeners.get(element) ?? new Map<string, unknown>();
  listeners.set(element, handlers);
  if (!handlers.has(name)) {
    // React's `onChange` is the DOM's `input` event.
    const type = name === 'onChange' ? 'input' : name.slice(2).toLowerCase();
    element.addEventListener(type, (event) => {
      const current = handlers.get(name);
      if (typeof current === 'function') current(event);
    });
  }
  handlers.set(name, handler);
}

/** Sets style properties, which a policy against inline styles allows. */
function setStyle(element: Element, style: unknown): void {
  if (!(element instanceof HTMLElement)) return;
  element.style.cssText = '';
  Object.assign(element.style, style);
}
