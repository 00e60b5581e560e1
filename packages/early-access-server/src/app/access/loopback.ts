/** Whether only this machine reaches the host, which is an IP address or the hostname of a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127\.\d+\.\d+\.\d+)$/.test(host);
}
