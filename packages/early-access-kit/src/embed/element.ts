import type { ReactNode } from 'react';
import type { Page } from './page.tsx';
import { widgetRoot } from './styles.ts';

/** The properties of a custom element and its widget. The property `endSession` has the attribute `end-session`. */
export interface ElementOptions {
  readonly texts?: readonly string[];
  readonly flags?: readonly string[];
  /** Returns the render function of one element; `root` contains the widget's markup. */
  widget(element: HTMLElement, root: ShadowRoot): () => ReactNode;
}

const toAttribute = (property: string) => property.replace(/[A-Z]/g, '-$&').toLowerCase();

/**
 * Returns whether a boolean attribute is on. Vue, Svelte and others write `false` as the text "false" if the element is
 * not defined yet.
 */
export const hasFlag = (element: Element, attribute: string) =>
  !/^false$/i.test(element.getAttribute(attribute) ?? 'false');

/** Defines a custom element that reflects its properties as attributes and is rendered by the page while connected. */
export function defineElement(name: string, page: Page, { texts = [], flags = [], widget }: ElementOptions): void {
  const properties = [...texts, ...flags];

  class WidgetElement extends HTMLElement {
    static observedAttributes = properties.map(toAttribute);
    readonly #root = widgetRoot(this);
    readonly #render = widget(this, this.#root);

    constructor() {
      super();
      // Properties set before the element was defined would shadow the accessors.
      for (const property of properties) {
        if (!Object.hasOwn(this, property)) continue;
        const value: unknown = Reflect.get(this, property);
        Reflect.deleteProperty(this, property);
        Reflect.set(this, property, value);
      }
    }

    connectedCallback(): void {
      page.add(this, this.#render);
    }

    /** Lets browsers that support it move the element without disconnecting it. */
    connectedMoveCallback(): void {}

    disconnectedCallback(): void {
      page.changed();
    }

    attributeChangedCallback(): void {
      page.changed();
    }

    override focus(options?: FocusOptions): void {
      this.#root.querySelector('input')?.focus(options);
    }
  }

  for (const property of properties) {
    const attribute = toAttribute(property);
    const isFlag = flags.includes(property);
    Object.defineProperty(WidgetElement.prototype, property, {
      enumerable: true,
      get(this: HTMLElement) {
        return isFlag ? hasFlag(this, attribute) : (this.getAttribute(attribute) ?? '');
      },
      set(this: HTMLElement, value: unknown) {
        if (isFlag && !value) this.removeAttribute(attribute);
        else this.setAttribute(attribute, isFlag && value === true ? '' : String(value));
      },
    });
  }
  customElements.define(name, WidgetElement);
}
