const KEY = 'first_steps';

/** Returns whether the admin has dismissed the first steps in this browser. If storage is blocked, they reappear. */
export function areFirstStepsDismissed(): boolean {
  try {
    return localStorage.getItem(KEY) === 'dismissed';
  } catch {
    return false;
  }
}

export function dismissFirstSteps(): void {
  try {
    localStorage.setItem(KEY, 'dismissed');
  } catch {
    // Without storage, they are only hidden until the page is reloaded.
  }
}
