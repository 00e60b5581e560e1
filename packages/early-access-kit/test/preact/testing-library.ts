import { configure } from '@testing-library/dom';
import { type ComponentChildren, render as draw, options } from 'preact';
import { act as actOnce } from 'preact/test-utils';

/** What the widgets' tests use of `@testing-library/react`, on Preact. */
export { fireEvent, screen, waitFor, within } from '@testing-library/dom';

// Nothing is painted here: effects need not wait for a frame.
options.requestAnimationFrame = queueMicrotask;

/** As React's, it sees what a change leads to, one promise after the other. */
export function act(change: () => unknown): Promise<void> {
  let changed: unknown;
  const done = actOnce(() => {
    changed = change();
  });
  if (!(changed instanceof Promise)) return done;
  return actOnce(async () => {
    await changed;
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  });
}

configure({
  eventWrapper(dispatch) {
    let result: unknown;
    act(() => {
      result = dispatch();
    });
    return result;
  },
});

const containers = new Set<Element>();

export function render(tree: ComponentChildren) {
  const container = document.body.appendChild(document.createElement('div'));
  containers.add(container);
  const rerender = (next: ComponentChildren) => {
    act(() => draw(next, container));
  };
  rerender(tree);
  return { container, rerender, unmount: () => rerender(null) };
}

export function cleanup(): void {
  for (const container of containers) {
    act(() => draw(null, container));
    container.remove();
  }
  containers.clear();
}
