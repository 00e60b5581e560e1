import type { Commit } from './commit.ts';
import { callComponent } from './hooks.ts';
import { Instance } from './instance.ts';
import { createElement, setProps } from './props.ts';
import { childrenOf, TEXT, VNode } from './vnode.ts';

/** Renders the node and its whole subtree, whether it changed or not: the trees are small. */
export function draw(instance: Instance, vnode: VNode, commit: Commit): void {
  const { dom, vnode: before } = instance;
  const { type, props } = vnode;
  instance.vnode = vnode;
  if (dom instanceof Element) setProps(dom, before.props, props);
  else if (dom && before.props.text !== props.text) dom.data = String(props.text);
  drawChildren(instance, typeof type === 'string' ? props.children : callComponent(instance, type, props), commit);
  if (instance.container) commit.hosts.add(instance);
  commit.drawn.add(instance);
}

function drawChildren(parent: Instance, content: unknown, commit: Commit): void {
  const leaving = new Map(parent.children.map((child) => [child.slot, child]));
  const next = new Map<Instance, VNode>();
  for (const [place, vnode] of childrenOf(content).entries()) {
    if (!vnode) continue;
    const slot = vnode.key ?? place;
    const kept = leaving.get(slot);
    const goesOn = kept?.vnode.type === vnode.type && kept.vnode.props.container === vnode.props.container;
    if (goesOn) leaving.delete(slot);
    next.set(kept && goesOn ? kept : create(vnode, parent, slot), vnode);
  }
  parent.children = [...next.keys()];
  // Added before removals from further down, as in React.
  commit.removed.push(...leaving.values());
  for (const [child, vnode] of next) draw(child, vnode, commit);
}

/** Creates an instance without attributes. */
function create({ type }: VNode, parent: Instance, slot: string | number): Instance {
  const dom =
    type === TEXT ? new Text() : typeof type === 'string' ? createElement(type, parent.host.container) : undefined;
  return new Instance(new VNode(type, {}), parent.invalidate, parent, slot, dom);
}
