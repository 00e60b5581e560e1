/**
 * If nearly all visitors of a window come from one address, a proxy is not configured. Visitors in an office or with
 * one carrier legitimately share addresses.
 */
const WINDOW = 100;
const MOST = 95;

/** Returns a function that takes each visitor's network. Calls `onShared` if nearly all recent ones were the same. */
export function sharedAddressWatch(onShared: () => void): (network: string) => void {
  const counts = new Map<string, number>();
  let visitors = 0;
  return (network) => {
    counts.set(network, (counts.get(network) ?? 0) + 1);
    visitors += 1;
    if (visitors < WINDOW) return;
    if (Math.max(...counts.values()) >= MOST) onShared();
    counts.clear();
    visitors = 0;
  };
}
