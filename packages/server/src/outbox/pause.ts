/**
 * How long all mail rests after so many refusals in a row: the server is down or asks for patience, and hammering
 * it with the rest of the queue would help nobody.
 */
export function pauseAfter(refusalsInARow: number): number {
  return refusalsInARow === 0 ? 0 : Math.min(60_000, 1_000 * 2 ** (refusalsInARow - 1));
}
