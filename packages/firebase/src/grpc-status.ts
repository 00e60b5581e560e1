/** What Firestore's client rejects with, by number. */
export const ALREADY_EXISTS = 6;
export const ABORTED = 10;

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status;
}
