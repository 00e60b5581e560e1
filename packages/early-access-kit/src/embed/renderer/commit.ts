import { Effect } from './hooks.ts';
import type { Instance } from './instance.ts';

/** The work left after a render, applied in React's order. */
export class Commit {
  readonly removed: Instance[] = [];
  /** Instances whose DOM children must be arranged, inner ones first. */
  readonly hosts = new Set<Instance>();
  /** Rendered instances, children before parents. */
  readonly drawn = new Set<Instance>();
}

/** Effects that run after the page is painted. */
export class Aftermath {
  readonly #undone: Effect[] = [];
  readonly #due: Effect[] = [];

  /** Applies a render to the DOM. */
  commit({ removed, hosts, drawn }: Commit): void {
    for (const instance of removed) this.#remove(instance, true);
    for (const host of hosts) arrange(host);
    const effects = [...drawn].flatMap(effectsOf).filter((effect) => effect.isDue);
    const inLayout = effects.filter((effect) => effect.inLayout);
    for (const effect of inLayout) effect.undo();
    for (const instance of drawn) setRef(instance, instance.dom);
    for (const effect of inLayout) effect.run();
    this.#due.push(...effects.filter((effect) => !effect.inLayout));
    if (this.#undone.length + this.#due.length > 0) setTimeout(() => this.run());
  }

  /** Runs the pending effects. Call before the next render at the latest. */
  run(): void {
    const due = this.#due.splice(0);
    for (const effect of [...this.#undone.splice(0), ...due]) effect.undo();
    for (const effect of due) effect.run();
  }

  /** Runs cleanups first, parents before children, so that an open dialog is closed before it is removed. */
  #remove(instance: Instance, detach: boolean): void {
    instance.gone = true;
    for (const effect of effectsOf(instance)) {
      if (effect.inLayout) effect.undo();
      else this.#undone.push(effect);
    }
    setRef(instance, null);
    const { dom } = instance;
    for (const child of instance.children)
      this.#remove(child, dom ? false : detach || instance.container !== undefined);
    if (detach) dom?.remove();
  }
}

function effectsOf({ cells }: Instance): Effect[] {
  return cells.filter((cell) => cell instanceof Effect);
}

function setRef({ vnode: { props } }: Instance, dom: unknown): void {
  const { ref } = props;
  if (typeof ref === 'object' && ref && dom !== undefined) Object.assign(ref, { current: dom });
}

/** Moves as few nodes as possible, because a moved node loses the focus. A node that already follows all earlier siblings stays. */
function arrange({ container, children }: Instance): void {
  if (!container) return;
  const standing: ChildNode[] = [...container.childNodes];
  const nodes = children.flatMap((child) => child.nodes);
  let last = -1;
  const moving = nodes.filter((node) => {
    const place = standing.indexOf(node);
    if (place <= last) return true;
    last = place;
    return false;
  });
  let next: ChildNode | null = null;
  for (const node of nodes.reverse()) {
    if (moving.includes(node)) container.insertBefore(node, next);
    next = node;
  }
}
