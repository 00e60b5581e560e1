import { SettingsError } from './settings.ts';

/**
 * Why something failed, for the log: which setting to mend, or the class and the code of a failure. Its message is left out,
 * because Firestore's name documents, and those of sign-ups are named for their addresses.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${error.code}` : error.name;
}

/** Rejects as `work` does, but with the reason alone: whatever a function rejects with is logged whole. */
export async function withReasonOnly(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new Error(reasonOf(error));
  }
}
