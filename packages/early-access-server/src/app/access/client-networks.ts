import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface Connection {
  /** The socket's address; undefined if there is no socket. */
  readonly remoteAddress: string | undefined;
  readonly forwardedFor: string | undefined;
}

export interface ClientNetwork {
  readonly key: string;
  /** Multiplies the limit of a single client. */
  readonly factor: number;
}

/**
 * A /48 contains 65,536 /64s. Hosting companies assign one to each customer, who could use a new /64 for every request;
 * mobile carriers spread many visitors over one. Ten times the limit of a /64 stops the former and is enough for the
 * latter.
 */
const SITE_FACTOR = 10;

/** What a caller with an IPv4 address and every /64 of a /48 can use up, as a multiple of one client's limit. */
export const CALLER_FACTOR = 1 + SITE_FACTOR;

/**
 * A client that can bypass a proxy can forge the address that this proxy would have added. It cannot forge the address
 * of the last proxy, or its own address if it bypassed all of them. Visitors share the proxy's address, so the limit is
 * more than twice what one caller can use up. There is no limit for all clients together, because a caller with enough
 * addresses could lock everyone else out.
 */
export const PROXY_FACTOR = 2 * CALLER_FACTOR + 2;

/** Longer than any address with a zone and a port. */
const MAX_ENTRY_LENGTH = 100;

/**
 * The networks that a client's requests are counted under: its IPv4 address, or the /64 of its IPv6 address (one
 * household or machine) and the surrounding /48.
 */
export function clientNetworks(connection: Connection, hops: number): readonly ClientNetwork[] {
  return listNetworks(clientAddress(connection, hops) ?? 'unknown');
}

/**
 * The client's address, or undefined if it is unknown. Each of the `hops` trusted proxies appends the address it saw,
 * so the client is the `hops`-th entry from the right. Entries further left may be forged by the client.
 */
export function clientAddress({ remoteAddress, forwardedFor }: Connection, hops: number): string | undefined {
  if (hops === 0 || forwardedFor === undefined) return remoteAddress;
  const forwarded = forwardedFor.split(',');
  const entry = (forwarded[Math.max(0, forwarded.length - hops)] ?? '').trim();
  const address = entry.length > MAX_ENTRY_LENGTH ? '' : withoutPort(entry);
  return isIP(address) === 0 ? remoteAddress : address;
}

/** The proxy's widest network. Requests also count under it if clients may forge their address; see `PROXY_FACTOR`. */
export function sharedNetworks(proxyAddress: string): readonly ClientNetwork[] {
  return listNetworks(proxyAddress)
    .slice(-1)
    .map(({ key }) => ({ key: `proxy ${key}`, factor: PROXY_FACTOR }));
}

/** The IPv4 /24 or IPv6 /48 of an address. Neighboring addresses often belong to the same person. */
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
  // Converts an IPv4-mapped IPv6 address to IPv4.
  const parsed = ipaddr.process(withoutZone);
  if (parsed instanceof ipaddr.IPv4) return [{ key: parsed.toString(), factor: 1 }];
  const groups = parsed.parts.map((group) => group.toString(16));
  return [
    { key: `${groups.slice(0, 4).join(':')}::/64`, factor: 1 },
    { key: `${groups.slice(0, 3).join(':')}::/48`, factor: SITE_FACTOR },
  ];
}
