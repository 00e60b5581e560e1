import { AdminShell } from './admin-shell.tsx';
import type { AdminOverlayClassNames } from './class-names.ts';

/** Props of `AdminOverlay`. All are optional. */
export interface AdminOverlayProps {
  /**
   * The target of "Open dashboard": a URL or a path of this origin. Default: the dashboard of the adapter's server, if
   * it has one. `false` removes the link.
   */
  dashboardUrl?: string | false | undefined;
  /** Your own classes for the parts. */
  classNames?: AdminOverlayClassNames | undefined;
}

/**
 * The admin overlay, hidden from visitors. Ctrl+Alt+A asks for the admin email. If the browser has already stored it,
 * the overlay shows the counter box. Visitors only load a key listener; everything else is loaded when the overlay is
 * first needed.
 *
 * @example
 * <AdminOverlay dashboardUrl="https://early.example.com/admin" />
 */
export function AdminOverlay(props: AdminOverlayProps) {
  return <AdminShell {...props} load={loadPanel} />;
}

const loadPanel = () => import('./admin-panel.tsx');
