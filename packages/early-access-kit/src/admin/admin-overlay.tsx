import { AdminShell } from './admin-shell.tsx';
import type { AdminOverlayClassNames } from './class-names.ts';

export interface AdminOverlayProps {
  /** Classes of your own for the parts. */
  classNames?: AdminOverlayClassNames | undefined;
}

/**
 * The owner's numbers, hidden from visitors: Ctrl+Alt+A asks for the admin email, and a browser that holds it shows the counter box.
 * Visitors load this listener and nothing more; the rest arrives when one of the two calls for it.
 */
export function AdminOverlay({ classNames }: AdminOverlayProps) {
  return <AdminShell load={loadPanel} classNames={classNames} />;
}

const loadPanel = () => import('./admin-panel.tsx');
