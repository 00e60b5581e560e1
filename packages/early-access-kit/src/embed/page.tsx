import { Fragment, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { EarlyAccessProvider } from '../provider.tsx';
import { type EmbedSettings, settle } from './settings.ts';
import { widgetRoot } from './styles.ts';

/**
 * All elements of a page are one tree, whose root holds the toasts and whose branches are drawn into the elements: so they share the
 * provider and its visit, and an element that is moved keeps its state.
 */
export interface Page {
  /** Draws an element for as long as it stands in the document. */
  add(element: Element, draw: () => ReactNode): void;
  /** To be called whenever an element may have to be drawn anew, or has left. */
  changed(): void;
  /** Replaces the settings of all elements. Visits go on, with the new adapter. */
  configure(settings: EmbedSettings): void;
}

export function createPage(): Page {
  const drawn = new Map<Element, { readonly key: number; readonly draw: () => ReactNode }>();
  let lastKey = 0;
  let settings = settle({});
  let waiting = false;
  let toasts: HTMLElement | undefined;
  let root: ReturnType<typeof createRoot>;

  function show(): void {
    waiting = false;
    if (!toasts) {
      toasts = document.createElement('early-access-toasts');
      root = createRoot(widgetRoot(toasts));
    }
    // Hosts that exchange the whole body take it away.
    if (!toasts.isConnected) document.body.append(toasts);
    for (const element of drawn.keys()) if (!element.isConnected) drawn.delete(element);
    root.render(
      <EarlyAccessProvider {...settings}>
        {[...drawn.values()].map(({ key, draw }) => (
          <Fragment key={key}>{draw()}</Fragment>
        ))}
      </EarlyAccessProvider>,
    );
  }

  function changed(): void {
    if (waiting) return;
    waiting = true;
    // Not at once: an element that is moved leaves and comes back before this.
    queueMicrotask(show);
  }

  return {
    add(element, draw) {
      if (!drawn.has(element)) {
        lastKey += 1;
        drawn.set(element, { key: lastKey, draw });
      }
      changed();
    },
    changed,
    configure(chosen) {
      settings = settle(chosen);
      changed();
    },
  };
}
