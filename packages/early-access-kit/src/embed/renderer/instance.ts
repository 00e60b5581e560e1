import { Portal, type VNode } from './vnode.ts';

/** What an instance tells of itself: it has to be drawn anew. */
export type Invalidate = (instance: Instance) => void;

/** A node of the tree that is on the page, for as long as it stands there: what is drawn again keeps its DOM and its state. */
export class Instance {
  vnode: VNode;
  readonly invalidate: Invalidate;
  readonly parent: Instance | undefined;
  /** Its key among its siblings, or its place where it has none. */
  readonly slot: string | number;
  readonly depth: number;
  /** Its own element or text; components have none. */
  readonly dom: Element | Text | undefined;
  children: readonly Instance[] = [];
  /** What its hooks keep, in the order of their calls. */
  readonly cells: object[] = [];
  /** What it hands to those below, where it is the provider of a context. */
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

  /** What holds the DOM of its children, where that is not what holds its own. */
  get container(): Element | ShadowRoot | undefined {
    if (this.dom instanceof Element) return this.dom;
    const { container } = this.vnode.props;
    const holds = this.vnode.type === Portal && (container instanceof Element || container instanceof ShadowRoot);
    return holds ? container : undefined;
  }

  /** The nearest one from here upwards that holds DOM; the root of a tree does. */
  get host(): Instance {
    return this.container || !this.parent ? this : this.parent.host;
  }

  /** The topmost DOM of it and of what is below, as it stands in its container. */
  get nodes(): readonly ChildNode[] {
    if (this.dom) return [this.dom];
    return this.container ? [] : this.children.flatMap((child) => child.nodes);
  }
}
