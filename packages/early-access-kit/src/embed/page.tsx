import { Fragment, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { EarlyAccessProvider } from '../provider.tsx';
import type { ResolvedSettings } from './settings.ts';
import { widgetRoot } from './styles.ts';

/**
 * Renders all elements of a page as one tree. Its root renders the toasts and its branches render into the elements.
 * The elements therefore share the provider and its session, and an element that is moved keeps its state.
 */
export interface Page {
  /** Renders an element while it is in the document. */
  add(element: Element, render: () => ReactNode): void;
  /** Call when an element may need to render again, or was disconnected. */
  changed(): void;
  settings(): ResolvedSettings;
  /** Replaces the settings of all elements. Sessions continue with the new adapter. */
  configure(settings: ResolvedSettings): void;
}

export function createPage(settings: ResolvedSettings): Page {
  const elements = new Map<Element, { readonly key: number; readonly render: () => ReactNode }>();
  let lastKey = 0;
  let current = settings;
  let isScheduled = false;
  const toasts = document.createElement('early-access-toasts');
  const root = createRoot(widgetRoot(toasts));

  function renderAll(): void {
    isScheduled = false;
    // Hosts that replace the whole body remove it.
    if (!toasts.isConnected) document.body.append(toasts);
    for (const element of elements.keys()) if (!element.isConnected) elements.delete(element);
    root.render(
      <EarlyAccessProvider {...current}>
        {[...elements.values()].map(({ key, render }) => (
          <Fragment key={key}>{render()}</Fragment>
        ))}
      </EarlyAccessProvider>,
    );
  }

  function changed(): void {
    if (isScheduled) return;
    isScheduled = true;
    // Deferred, because an element that is moved is disconnected and reconnected before this runs.
    queueMicrotask(renderAll);
  }

  return {
    add(element, render) {
      if (!elements.has(element)) {
        lastKey += 1;
        elements.set(element, { key: lastKey, render });
      }
      changed();
    },
    changed,
    settings: () => current,
    configure(next) {
      current = next;
      changed();
    },
  };
}
