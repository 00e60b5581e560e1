import { AdminShell } from './admin-shell.tsx';
import type { AdminOverlayClassNames } from './class-names.ts';

export interface AdminOverlayProps {
  /** Your own classes for the parts. */
  classNames?: AdminOverlayClassNames | undefined;
}

/**
 * The admin overlay, hidden from visitors. Ctrl+Alt+A asks for the admin email. If the browser has already stored it, the overlay shows
 * the counter box. Visitors only load a key listener; everything else is loaded when the overlay is first needed.
 */
export function AdminOverlay({ classNames }: AdminOverlayProps) {
  return <AdminShell load={loadPanel} classNames={classNames} />;
}

const loadPanel = () => import('./admin-panel.tsx');
