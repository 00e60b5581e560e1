const RESERVE_BYTES = 256_000_000;
const RESERVE_SHARE = 0.1;

/** Whether so few bytes of a disk are free that they are left to signups and emails. A small disk keeps a tenth. */
export function isReserved(free: number, size: number): boolean {
  return free < Math.min(RESERVE_BYTES, size * RESERVE_SHARE);
}
