import { configure } from '@testing-library/dom';
import { type ComponentChildren, options, render as renderInto } from 'preact';
import { act as actInPreact } from 'preact/test-utils';

/** The part of `@testing-library/react` that the widgets' tests use, on Preact. */
export { fireEvent, screen, waitFor, within } from '@testing-library/dom';

// Runs effects outside `act` without waiting for a frame, which fake timers would block.
options.requestAnimationFrame = queueMicrotask;

/** Applies a change and renders its effects: immediately, or after its promise and the promises that follow. */
export function act(change: () => unknown): Promise<void> {
  return actInPreact(() => {
    const result = change();
    if (result instanceof Promise) return result.then(settlePromises);
  });
}

async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

configure({
  eventWrapper(dispatch) {
    let result: unknown;
    actInPreact(() => {
      result = dispatch();
    });
    return result;
  },
});

const containers = new Set<Element>();

export function render(content: ComponentChildren) {
  const container = document.body.appendChild(document.createElement('div'));
  containers.add(container);
  const rerender = (next: ComponentChildren) => {
    actInPreact(() => renderInto(next, container));
  };
  rerender(content);
  return { container, rerender, unmount: () => rerender(null) };
}

export function cleanup(): void {
  for (const container of containers) {
    actInPreact(() => renderInto(null, container));
    container.remove();
  }
  containers.clear();
}
