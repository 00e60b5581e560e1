const DAY_MS = 86_400_000;

/** A signup that is not confirmed gets one reminder after this long, and is erased after `PENDING_MS`. */
export const REMINDER_AFTER_MS = 3 * DAY_MS;
export const PENDING_MS = 30 * DAY_MS;

/** What to do about a signup that is still pending; null: nothing yet. */
export function pendingStep(
  { created_at, isReminded }: { readonly created_at: number; readonly isReminded: boolean },
  now: number,
): 'remind' | 'erase' | null {
  if (now - created_at >= PENDING_MS) return 'erase';
  return !isReminded && now - created_at >= REMINDER_AFTER_MS ? 'remind' : null;
}
