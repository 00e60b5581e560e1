/**
 * `early_access_own_visits` is what the admin chose for this browser: `ignored`, or `counted` although the overlay is unlocked. Returns
 * whether this browser is the admin's, so that its visits are not counted: the overlay is unlocked or the dashboard was opened, and the
 * admin did not choose to have them counted. Without storage no one can tell.
 */
export function areOwnVisitsIgnored(): boolean | undefined {
  try {
    const { adminEmail, early_access_own_visits = adminEmail } = localStorage;
    return early_access_own_visits && early_access_own_visits !== 'counted';
  } catch {}
}

/** Takes effect at the next page load; a session that has begun goes on. */
export function ignoreOwnVisits(ignored: boolean): void {
  try {
    localStorage.early_access_own_visits = ignored ? 'ignored' : 'counted';
  } catch {}
}
