import { isIP } from 'node:net';

export interface Connection {
  /** Of the socket; undefined where there is none. */
  readonly remoteAddress: string | undefined;
  /** The X-Forwarded-For header. */
  readonly forwardedFor: string | undefined;
}

/**
 * What a client is counted by: its IPv4 address or the /64 of its IPv6 address, which one household or machine owns whole.
 * Each of `hops` trusted proxies appends the address it saw, so that the one counted is the `hops`-th from the right;
 * what stands further left is the client's own invention.
 */
export function clientKey({ remoteAddress, forwardedFor }: Connection, hops: number): string {
  const direct = remoteAddress ?? 'unknown';
  if (hops === 0 || forwardedFor === undefined) return networkOf(direct);
  const forwarded = forwardedFor.split(',');
  const entry = withoutPort((forwarded[Math.max(0, forwarded.length - hops)] ?? '').trim());
  return networkOf(isIP(entry) === 0 ? direct : entry);
}

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}

function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const bare = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail = ''] = bare.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  // A dotted IPv4 tail stands for two groups.
  const rightLength = right.length + (tail.includes('.') ? 1 : 0);
  const zeros = bare.includes('::') ? Array.from({ length: 8 - left.length - rightLength }, () => '0') : [];
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
