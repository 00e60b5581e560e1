/** Returns whether a host, which is an IP address or a URL's hostname, is only reachable from this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/.test(host);
}
