import ipaddr from 'ipaddr.js';

export const MAX_URL_LENGTH = 2_000;
const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1_024;
/** Contains all public IPv6 addresses. Older ranges that embed an IPv4 address are outside. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Ranges that `allowLocal` adds. Excludes link-local addresses, where clouds serve the machine's credentials. */
const LOCAL_RANGES: readonly string[] = ['loopback', 'private', 'uniqueLocal', 'carrierGradeNat'];
/** Addresses outside the link-local ranges where clouds serve credentials: AWS, Google, Oracle, Alibaba, Azure. */
const METADATA = ['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:c1::/32', '100.100.100.200/32', '168.63.129.16/32'].map(
  (range) => ipaddr.parseCIDR(range),
);

export const NOT_PUBLIC =
  'leads to an address that is not public; for a trial on this machine set WEBHOOK_ALLOW_LOCAL=on';

/** Returns whether events may be sent to the IP address. Only public addresses, unless `allowLocal`. */
export function isAllowedAddress(address: string, allowLocal: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (METADATA.some((cidr) => cidr[0].kind() === parsed.kind() && parsed.match(cidr))) return false;
  const range = parsed.range();
  if (allowLocal && LOCAL_RANGES.includes(range)) return true;
  return range === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST));
}

/** Returns why the URL cannot be used, to follow the words "the URL", or null. Names are resolved at each delivery. */
export function urlProblem(text: string, allowLocal: boolean): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return 'must look like https://example.com/hooks';
  const { protocol, username, password, port, hostname } = new URL(text);
  if (protocol !== 'https:' && !(allowLocal && protocol === 'http:')) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  if (port !== '' && Number(port) < FIRST_FREE_PORT)
    return `must have port ${HTTPS_PORT} or one from ${FIRST_FREE_PORT} on`;
  const address = parseAddress(hostname);
  const isLocalName = /(^|\.)localhost\.?$/.test(hostname);
  const isAllowed = address === null ? allowLocal || !isLocalName : isAllowedAddress(address, allowLocal);
  return isAllowed ? null : NOT_PUBLIC;
}

function parseAddress(hostname: string): string | null {
  const address = hostname.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(address) ? address : null;
}
