/**
 * Whether Content-Security-Policies let a page load `url` by a directive, as CSP Level 3 matches sources. Nonces and hashes are not
 * considered: with `script`, a page allows its own tag by them.
 */
export function allowsSource(policies: readonly string[], directives: readonly string[], url: URL, page: URL): boolean {
  return policies.every((policy) => {
    const sources = readSources(policy, directives);
    return sources === null || sources.some((source) => matches(source, url, page));
  });
}

/** Whether a policy allows scripts by nonces or hashes, so that its list of hosts does not decide. */
export function allowsByTag(policies: readonly string[]): boolean {
  const directives = ['script-src-elem', 'script-src', 'default-src'];
  return policies.some((policy) => /'(?:nonce-|sha\d)/.test(readSources(policy, directives)?.join(' ') ?? ''));
}

/** The sources of the first of the directives that the policy has; null if it has none of them, which allows everything. */
function readSources(policy: string, directives: readonly string[]): readonly string[] | null {
  const parts = policy.split(';').map((part) => part.trim().split(/\s+/));
  for (const name of directives) {
    const found = parts.find(([first = '']) => first.toLowerCase() === name);
    if (found) return found.slice(1);
  }
  return null;
}

function matches(source: string, url: URL, page: URL): boolean {
  const text = source.toLowerCase();
  if (text === "'self'") return url.origin === page.origin;
  if (text === '*') return /^https?:$/.test(url.protocol);
  if (/^[a-z][a-z\d+.-]*:$/.test(text)) return url.protocol === text || (text === 'http:' && url.protocol === 'https:');
  const [, scheme = page.protocol, host = '', port = '', path = ''] =
    /^([a-z][a-z\d+.-]*:)?(?:\/\/)?([^/:]+)(?::(\d+|\*))?(\/.*)?$/.exec(text) ?? [];
  const isScheme = url.protocol === scheme || (scheme === 'http:' && url.protocol === 'https:');
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host;
  const isPort = port === '*' || url.port === port || (port !== '' && url.port === '' && port === defaultPort(url));
  const isPath = path === '' || (path.endsWith('/') ? url.pathname.startsWith(path) : url.pathname === path);
  return isScheme && isHost && isPort && isPath;
}

function defaultPort({ protocol }: URL): string {
  return protocol === 'https:' ? '443' : '80';
}
