import { type ComponentType, useEffect, useState } from 'react';
import type { AdminPanelProps } from './admin-panel.tsx';
import { isAdminShortcut } from './admin-shortcut.ts';
import type { AdminOverlayClassNames } from './class-names.ts';
import { readAdminEmail } from './stored-admin-email.ts';

export interface LoadedPanel {
  readonly AdminPanel: ComponentType<AdminPanelProps>;
}

interface AdminShellProps {
  /** Brings the panel; one and the same function in every render. */
  load: () => Promise<LoadedPanel>;
  classNames?: AdminOverlayClassNames | undefined;
}

/** The overlay's listener, and its panel once that is there. */
export function AdminShell({ load, classNames }: AdminShellProps) {
  const [Panel, setPanel] = useState<ComponentType<AdminPanelProps> | null>(null);
  const [requests, setRequests] = useState(0);

  useEffect(() => {
    // No Suspense: a boundary would change what is prerendered. A failed load is tried again at the next key press.
    const show = () => {
      load().then(
        ({ AdminPanel }) => setPanel(() => AdminPanel),
        () => {},
      );
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isAdminShortcut(event)) return;
      event.preventDefault();
      setRequests((count) => count + 1);
      show();
    };
    addEventListener('keydown', onKeyDown);
    if (readAdminEmail()) show();
    return () => removeEventListener('keydown', onKeyDown);
  }, [load]);

  return Panel && <Panel requests={requests} classNames={classNames} />;
}
