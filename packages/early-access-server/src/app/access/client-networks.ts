import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Connection {
  /** The socket's address; undefined if there is no socket. */
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | undefined;
}

export interface ClientNetwork {
  readonly key: string;
  /** How many times the limit of one client the network gets. */
  readonly factor: number;
}

/**
 * A /48 holds 65,536 /64s. Hosting companies give one to each customer, who could use a fresh /64 for every request;
 * mobile carriers spread many visitors over one. Ten times the limit of a /64 stops the former and is enough for the
 * latter.
 */
const SITE_FACTOR = 10;

/** How many times the limit of one client a caller gets who has an IPv4 address and every /64 of a /48. */
export const CALLER_FACTOR = 1 + SITE_FACTOR;

/**
 * A client that can avoid a proxy chooses the address which that proxy would have named. It cannot choose the address
 * of the last proxy, which is its own if it avoided the others. Visitors share the address of the proxy, so it gets
 * more than twice what one caller among them can use up. There is no limit of all clients together: a caller with
 * enough addresses would lock the others out.
 */
export const PROXY_FACTOR = 2 * CALLER_FACTOR + 2;

/** Longer than any address with a zone and a port. */
const MAX_ENTRY_LENGTH = 100;

/**
 * The networks a client is counted by: its IPv4 address, or the /64 of its IPv6 address, which belongs to one household
 * or machine, and the /48 around it.
 */
export function clientNetworks(connection: Connection, hops: number): readonly ClientNetwork[] {
  return listNetworks(clientAddress(connection, hops) ?? 'unknown');
}

/**
 * The client's address; undefined if it is not known. Each of `hops` trusted proxies appends the address it saw, so the
 * client is the `hops`-th entry from the right; the client itself can send any entries further left.
 */
export function clientAddress({ remoteAddress, forwardedFor }: Connection, hops: number): string | undefined {
  if (hops === 0 || forwardedFor === undefined) return remoteAddress;
  const forwarded = forwardedFor.split(',');
  const entry = (forwarded[Math.max(0, forwarded.length - hops)] ?? '').trim();
  const address = entry.length > MAX_ENTRY_LENGTH ? '' : withoutPort(entry);
  return isIP(address) === 0 ? remoteAddress : address;
}

/**
 * The network, the widest one, that requests are counted by in addition if a client may have forged its address; see
 * `PROXY_FACTOR`.
 */
export function sharedNetworks(proxyAddress: string): readonly ClientNetwork[] {
  return listNetworks(proxyAddress)
    .slice(-1)
    .map(({ key }) => ({ key: `proxy ${key}`, factor: PROXY_FACTOR }));
}

/** The IPv4 /24 or IPv6 /48 of an address: its neighbors are often the same person's. */
export function wideNetwork(address: string): string {
  return (
    listNetworks(address)
      .at(-1)
      ?.key.replace(/\.\d+$/, '') ?? ''
  );
}

/** Some proxies write `1.2.3.4:5678` or `[2001:db8::1]:5678`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}

function listNetworks(address: string): readonly ClientNetwork[] {
  if (isIP(address) !== 6) return [{ key: address, factor: 1 }];
  const [withoutZone = ''] = address.split('%');
  // An IPv4 address that is written as IPv6 becomes one.
  const parsed = ipaddr.process(withoutZone);
  if (parsed instanceof ipaddr.IPv4) return [{ key: parsed.toString(), factor: 1 }];
  const groups = parsed.parts.map((group) => group.toString(16));
  return [
    { key: `${groups.slice(0, 4).join(':')}::/64`, factor: 1 },
    { key: `${groups.slice(0, 3).join(':')}::/48`, factor: SITE_FACTOR },
  ];
}
