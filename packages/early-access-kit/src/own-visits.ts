/** What the admin chose for this browser: their own visits are `ignored`, or `counted` although the overlay is unlocked. */
const KEY = 'early_access_own_visits';

/**
 * Whether this browser is the admin's, so that its visits are not counted: the overlay is unlocked or the dashboard was opened, and the
 * admin did not choose to have them counted. Without storage no one can tell.
 */
export function areOwnVisitsIgnored(): boolean {
  try {
    return (localStorage[KEY] || (localStorage.adminEmail && 'ignored')) === 'ignored';
  } catch {
    return false;
  }
}

/** Takes effect at the next page load; a session that has begun goes on. */
export function ignoreOwnVisits(ignored: boolean): void {
  try {
    localStorage.setItem(KEY, ignored ? 'ignored' : 'counted');
  } catch {}
}
