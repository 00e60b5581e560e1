import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { countOverlays, rethrowMistake } from '../core/misuse.ts';
import { useEarlyAccess } from '../provider.tsx';
import type { AdminPanelProps } from './admin-panel.tsx';
import { readAdminEmail } from './stored-admin-email.ts';

export interface LoadedPanel {
  readonly AdminPanel: ComponentType<AdminPanelProps>;
}

interface AdminShellProps extends Omit<AdminPanelProps, 'context' | 'requests'> {
  /** Loads the panel. Must be the same function in every render. */
  load: () => Promise<LoadedPanel>;
}

/**
 * `useEffect` may run a frame after the visible change. On the server no effect runs, but React 18 warns about
 * `useLayoutEffect`.
 */
const useEffectAtOnce = globalThis.location ? useLayoutEffect : useEffect;

/** The overlay's key listener, and its panel once loaded. */
export function AdminShell({ load, ...props }: AdminShellProps) {
  const context = useEarlyAccess();
  const [requests, setRequests] = useState(0);
  const [loaded, setLoaded] = useState<LoadedPanel | null>(null);

  useEffectAtOnce(() => {
    // No Suspense, because a boundary would change the server-rendered markup. A failed load is retried at the next key
    // press.
    const show = () => {
      load()
        .then(setLoaded)
        .catch(() => {});
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isAdminShortcut(event)) return;
      event.preventDefault();
      setRequests((before) => before + 1);
      show();
    };
    addEventListener('keydown', onKeyDown);
    if (readAdminEmail()) show();
    try {
      if (process.env.NODE_ENV !== 'production') countOverlays(1);
    } catch (error) {
      rethrowMistake(error);
    }
    return () => {
      try {
        if (process.env.NODE_ENV !== 'production') countOverlays(-1);
      } catch (error) {
        rethrowMistake(error);
      }
      removeEventListener('keydown', onKeyDown);
    };
  }, [load]);

  return loaded && <loaded.AdminPanel {...props} context={context} requests={requests} />;
}

/**
 * Returns whether the event is Ctrl+Alt+A. Checks both the key's position and its letter: with Alt held, macOS types
 * "å", and some layouts have the letter elsewhere. Excludes AltGr, which counts as Ctrl+Alt on Windows but types a
 * letter on many keyboards, and input method composition.
 */
export function isAdminShortcut(event: KeyboardEvent): boolean {
  return (
    event.ctrlKey &&
    event.altKey &&
    !event.shiftKey &&
    !event.metaKey &&
    !event.repeat &&
    !event.isComposing &&
    !event.getModifierState('AltGraph') &&
    (event.code === 'KeyA' || /^a$/i.test(event.key))
  );
}
