import { Portal, type VNode } from './vnode.ts';

/** Requests that an instance is rendered again. */
export type Invalidate = (instance: Instance) => void;

/** A mounted node of the tree. Rendering it again preserves its DOM and its state. */
export class Instance {
  vnode: VNode;
  readonly invalidate: Invalidate;
  readonly parent: Instance | undefined;
  /** Its key among its siblings, or its index without a key. */
  readonly slot: string | number;
  readonly depth: number;
  /** Its own element or text; components have none. */
  readonly dom: Element | Text | undefined;
  children: readonly Instance[] = [];
  /** State of its hooks, in call order. */
  readonly cells: object[] = [];
  /** The value it provides, if it is a context provider. */
  provided: object | undefined;
  gone = false;

  constructor(
    vnode: VNode,
    invalidate: Invalidate,
    parent?: Instance,
    slot: string | number = 0,
    dom?: Element | Text,
  ) {
    this.vnode = vnode;
    this.invalidate = invalidate;
    this.parent = parent;
    this.slot = slot;
    this.depth = parent ? parent.depth + 1 : 0;
    this.dom = dom;
  }

  /** The container of its children's DOM, if it differs from the container of its own DOM. */
  get container(): Element | ShadowRoot | undefined {
    if (this.dom instanceof Element) return this.dom;
    const { container } = this.vnode.props;
    const holds = this.vnode.type === Portal && (container instanceof Element || container instanceof ShadowRoot);
    return holds ? container : undefined;
  }

  /** The nearest instance, including itself, with a DOM container; the root of a tree has one. */
  get host(): Instance {
    return this.container || !this.parent ? this : this.parent.host;
  }

  /** The top-level DOM nodes of its subtree, in document order. */
  get nodes(): readonly ChildNode[] {
    if (this.dom) return [this.dom];
    return this.container ? [] : this.children.flatMap((child) => child.nodes);
  }
}
