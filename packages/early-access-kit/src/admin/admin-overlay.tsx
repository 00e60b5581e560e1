import { type ComponentType, useEffect, useState } from 'react';
import type { AdminPanelProps } from './admin-panel.tsx';
import { isAdminShortcut } from './admin-shortcut.ts';
import type { AdminOverlayClassNames } from './class-names.ts';
import { readAdminEmail } from './stored-admin-email.ts';

export interface AdminOverlayProps {
  /** Classes of your own for the parts. */
  classNames?: AdminOverlayClassNames | undefined;
}

/**
 * The owner's numbers, hidden from visitors: Ctrl+Alt+A asks for the admin email, and a browser that holds it shows the counter box.
 * Visitors load this listener and nothing more; the rest arrives when one of the two calls for it.
 */
export function AdminOverlay({ classNames }: AdminOverlayProps) {
  const [Panel, setPanel] = useState<ComponentType<AdminPanelProps> | null>(null);
  const [requests, setRequests] = useState(0);

  useEffect(() => {
    // No Suspense: a boundary would change what is prerendered. A failed load is tried again at the next key press.
    const load = () => {
      import('./admin-panel.tsx').then(
        ({ AdminPanel }) => setPanel(() => AdminPanel),
        () => {},
      );
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isAdminShortcut(event)) return;
      event.preventDefault();
      setRequests((count) => count + 1);
      load();
    };
    addEventListener('keydown', onKeyDown);
    if (readAdminEmail()) load();
    return () => removeEventListener('keydown', onKeyDown);
  }, []);

  return Panel && <Panel requests={requests} classNames={classNames} />;
}
