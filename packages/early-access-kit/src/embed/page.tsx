import { Fragment, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { EarlyAccessProvider } from '../provider.tsx';
import { type EmbedSettings, resolveSettings } from './settings.ts';
import { widgetRoot } from './styles.ts';

/**
 * Renders all elements of a page as one tree. Its root renders the toasts and its branches render into the elements. The elements
 * therefore share the provider and its session, and an element that is moved keeps its state.
 */
export interface Page {
  /** Renders an element while it is in the document. */
  add(element: Element, draw: () => ReactNode): void;
  /** Call when an element may need to render again, or was disconnected. */
  changed(): void;
  /** Replaces the settings of all elements. Sessions continue with the new adapter. */
  configure(settings: EmbedSettings): void;
}

export function createPage(): Page {
  const drawn = new Map<Element, { readonly key: number; readonly draw: () => ReactNode }>();
  let lastKey = 0;
  let settings = resolveSettings({});
  let waiting = false;
  let toasts: HTMLElement | undefined;
  let root: ReturnType<typeof createRoot>;

  function show(): void {
    waiting = false;
    if (!toasts) {
      toasts = document.createElement('early-access-toasts');
      root = createRoot(widgetRoot(toasts));
    }
    // Hosts that replace the whole body remove it.
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
    // Deferred, because an element that is moved is disconnected and reconnected before this runs.
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
      settings = resolveSettings(chosen);
      changed();
    },
  };
}
