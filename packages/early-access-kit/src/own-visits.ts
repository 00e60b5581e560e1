/**
 * Whether this browser is the admin's, so that its visits are not counted: the overlay is unlocked or the dashboard was
 * opened, and the admin did not choose to have them counted. `own_visits` holds the choice: `ignored`, or nothing if
 * they count. Without storage no one can tell.
 *
 * @example
 * checkbox.checked = areOwnVisitsIgnored() === true;
 */
export function areOwnVisitsIgnored(): boolean | undefined {
  try {
    return !!(localStorage.own_visits ?? localStorage.adminEmail);
  } catch {}
}

/**
 * Stores the admin's choice. Takes effect at the next page load; a running session continues.
 *
 * @example
 * ignoreOwnVisits(checkbox.checked);
 */
export function ignoreOwnVisits(ignored: boolean): void {
  try {
    localStorage.own_visits = ignored ? 'ignored' : '';
  } catch {}
}

/**
 * Ignores the visits of this browser unless the admin has chosen before: call it on a page that only admins open.
 *
 * @example
 * if (location.pathname.startsWith('/admin')) ignoreOwnVisitsByDefault();
 */
export function ignoreOwnVisitsByDefault(): void {
  try {
    localStorage.own_visits ??= 'ignored';
  } catch {}
}
