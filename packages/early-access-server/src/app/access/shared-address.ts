/**
 * How many visitors are compared, and how many of them may not come from one address. Visitors of an office or a
 * carrier share some.
 */
const WINDOW = 100;
const MOST = 95;

/**
 * Returns a function that takes the network of each visitor, and calls `onShared` if nearly all of the last ones came
 * from the same.
 */
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
