/**
 * Does something and keeps every failure of it from the page: tracking errors are swallowed silently (SPEC section 8).
 * What comes before the first `await` is done at once.
 */
export async function quietly(action: () => unknown): Promise<void> {
  try {
    await action();
  } catch {
    // Nobody to tell. Totals that did not arrive go out again with the next update.
  }
}
