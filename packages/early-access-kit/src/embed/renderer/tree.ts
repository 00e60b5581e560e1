import { Aftermath, Commit } from './commit.ts';
import { draw } from './draw.ts';
import { Instance } from './instance.ts';
import { Portal, VNode } from './vnode.ts';

/** The tree rendered into one container. */
export class Tree {
  readonly #root: Instance;
  readonly #aftermath = new Aftermath();
  #invalid = new Set<Instance>();

  constructor(container: Element | ShadowRoot) {
    this.#root = new Instance(new VNode(Portal, { container }), (instance) => {
      // Batches all changes into one render.
      if (this.#invalid.size === 0) queueMicrotask(() => this.update());
      this.#invalid.add(instance);
    });
  }

  render(content: unknown): void {
    this.#draw((commit) =>
      draw(this.#root, new VNode(Portal, { ...this.#root.vnode.props, children: content }), commit),
    );
  }

  /** Renders what has changed. */
  update(): void {
    this.#draw((commit) => {
      const invalid = [...this.#invalid].sort((one, other) => one.depth - other.depth);
      this.#invalid = new Set();
      for (const instance of invalid) {
        // Unmounted, or already rendered with a parent.
        if (instance.gone || commit.drawn.has(instance)) continue;
        draw(instance, instance.vnode, commit);
        commit.hosts.add(instance.host);
      }
    });
  }

  /** Runs the effects that wait for a paint. */
  settle(): void {
    this.#aftermath.run();
  }

  #draw(into: (commit: Commit) => void): void {
    this.settle();
    const commit = new Commit();
    into(commit);
    this.#aftermath.commit(commit);
  }
}
