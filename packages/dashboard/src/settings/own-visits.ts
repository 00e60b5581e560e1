const KEY = 'early_access_own_visits';

/** Leaves this browser's visits to the site out of the figures, unless the admin chose to have them counted. */
export function ignoreOwnVisits(): void {
  if (!areOwnVisitsCounted()) write('ignored');
}

export function areOwnVisitsCounted(): boolean {
  return read() === 'counted';
}

export function setOwnVisitsCounted(counted: boolean): void {
  write(counted ? 'counted' : 'ignored');
}

/** Storage may be blocked. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // Without storage the tracker finds nothing either, and counts.
  }
}
