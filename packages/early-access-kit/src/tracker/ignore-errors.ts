/**
 * Runs an action and ignores all its errors: tracking errors are swallowed silently (SPEC section 8). The code before the action's
 * first `await` runs synchronously.
 */
export async function ignoreErrors(action: () => unknown): Promise<void> {
  try {
    await action();
  } catch {
    // Ignored: the next update sends the totals again.
  }
}
