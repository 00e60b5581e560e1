const KEY = 'first_steps';

/** Whether this browser's admin has dismissed the first steps. Without storage they come back. */
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
    // They are hidden until the page is loaded again.
  }
}
