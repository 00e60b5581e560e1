/** Set by `npm run test:faults`; otherwise a few rounds of each fault have to do. */
export const LONG = process.env.FAULTS === 'long';

/** How often to do something. */
export function rounds(counts: { readonly short: number; readonly long: number }): number {
  return LONG ? counts.long : counts.short;
}
