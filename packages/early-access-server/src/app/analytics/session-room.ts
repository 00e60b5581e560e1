const RESERVE_BYTES = 256_000_000;
const RESERVE_SHARE = 0.1;

/**
 * Returns whether so little of the disk is free that the rest is reserved for signups and emails. On small disks, a
 * tenth is reserved.
 */
export function isReserved(free: number, size: number): boolean {
  return free < Math.min(RESERVE_BYTES, size * RESERVE_SHARE);
}
