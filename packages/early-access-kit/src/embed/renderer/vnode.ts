export type Props = Readonly<Record<string, unknown>>;

/** A function component. Returns anything that can be a JSX child. */
export type Component = (props: Props) => unknown;

/** The result of a JSX expression. */
export class VNode {
  readonly type: string | Component;
  readonly props: Props;
  readonly key: string | undefined;

  constructor(type: string | Component, props: Props, key?: string) {
    this.type = type;
    this.props = props;
    this.key = key;
  }
}

/** The type of text nodes, whose text is in `props.text`. No element has this name. */
export const TEXT = '';

export function jsx(type: string | Component, props: Props, key?: string): VNode {
  return new VNode(type, props, key);
}

export const Fragment: Component = ({ children }) => children;

/** Renders its children into another element. */
export const Portal: Component = ({ children }) => children;

export function createPortal(children: unknown, container: Element | ShadowRoot): VNode {
  return new VNode(Portal, { children, container });
}

/** Returns children as a list of nodes and holes; holes preserve the positions of their siblings. */
export function childrenOf(content: unknown): (VNode | undefined)[] {
  return (Array.isArray(content) ? content : [content]).map((child) => {
    if (child instanceof VNode) return child;
    if (Array.isArray(child)) return new VNode(Fragment, { children: child });
    if (typeof child === 'string' || typeof child === 'number') return new VNode(TEXT, { text: String(child) });
    return undefined;
  });
}
