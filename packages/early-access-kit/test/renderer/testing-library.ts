import { configure } from '@testing-library/dom';
import { vi } from 'vitest';
import { createRoot } from '../../src/embed/react.ts';
import type { Tree } from '../../src/embed/renderer/tree.ts';

/** What the widgets' tests use of `@testing-library/react`, on the renderer of the elements. */
export { fireEvent, screen, waitFor, within } from '@testing-library/dom';

const trees = new Map<Element, Tree>();

/** Sees what a change leads to; a later one too, one promise after the other. */
export function act(change: () => unknown): Promise<void> {
  const changed = throwingReports(() => {
    const result = change();
    settle();
    return result;
  });
  return changed instanceof Promise ? changed.then(settleSlowly) : Promise.resolve();
}

/** A component that throws is reported, so that it harms no other; React's tests expect it thrown. */
function throwingReports<Result>(action: () => Result): Result {
  const reported: unknown[] = [];
  const report = vi.spyOn(globalThis, 'reportError').mockImplementation((error) => reported.push(error));
  const result = action();
  report.mockRestore();
  if (reported.length > 0) throw reported[0];
  return result;
}

async function settleSlowly(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) {
    settle();
    await Promise.resolve();
  }
}

function settle(): void {
  for (const tree of trees.values()) {
    // Drawn, its side effects run, and what they change drawn once more.
    tree.update();
    tree.update();
  }
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

export function render(content: unknown) {
  const container = document.body.appendChild(document.createElement('div'));
  const tree = createRoot(container);
  trees.set(container, tree);
  const rerender = (next: unknown) => {
    act(() => tree.render(next));
  };
  rerender(content);
  return { container, rerender, unmount: () => rerender(undefined) };
}

export function cleanup(): void {
  for (const [container, tree] of trees) {
    act(() => tree.render(undefined));
    container.remove();
  }
  trees.clear();
}
