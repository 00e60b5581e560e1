/**
 * Returns whether the visits of this browser are not counted because it is the admin's: the overlay is unlocked or the
 * dashboard was opened, and the admin did not choose to be counted. Stored in `own_visits`: `ignored`, or an empty
 * string if visits count. Returns undefined if storage is blocked.
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
 * Ignores the visits of this browser unless the admin has already chosen. Call it on a page that only admins open.
 *
 * @example
 * if (location.pathname.startsWith('/admin')) ignoreOwnVisitsByDefault();
 */
export function ignoreOwnVisitsByDefault(): void {
  try {
    localStorage.own_visits ??= 'ignored';
  } catch {}
}
