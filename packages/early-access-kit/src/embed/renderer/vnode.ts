export type Props = Readonly<Record<string, unknown>>;

/** Draws what it is given; what it returns is anything that may stand between two tags. */
export type Component = (props: Props) => unknown;

/** What JSX is compiled to. */
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

/** The type of what is only text, which stands in `props.text`. No element has this name. */
export const TEXT = '';

export function jsx(type: string | Component, props: Props, key?: string): VNode {
  return new VNode(type, props, key);
}

export const Fragment: Component = ({ children }) => children;

/** Draws its children into another element than where it stands. */
export const Portal: Component = ({ children }) => children;

export function createPortal(children: unknown, container: Element | ShadowRoot): VNode {
  return new VNode(Portal, { children, container });
}

/** Children as a list of what is drawn and of holes, which keep the places of their neighbours. */
export function childrenOf(content: unknown): (VNode | undefined)[] {
  return (Array.isArray(content) ? content : [content]).map((child) => {
    if (child instanceof VNode) return child;
    if (Array.isArray(child)) return new VNode(Fragment, { children: child });
    if (typeof child === 'string' || typeof child === 'number') return new VNode(TEXT, { text: String(child) });
    return undefined;
  });
}
