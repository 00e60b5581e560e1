const fetched = (...directives: readonly string[]) => [...directives, 'default-src'];
const SCRIPT = fetched('script-src-elem', 'script-src');
const STYLE = fetched('style-src-elem', 'style-src');
const IMAGE = fetched('img-src');
const FONT = fetched('font-src');
const MEDIA = fetched('media-src');
const BY_TAG = /'(?:nonce-|sha\d)/;

/**
 * Returns whether Content-Security-Policies allow a page to load `url`, by the matching rules of CSP Level 3. Ignores
 * nonces and hashes, with which a page may allow its own script tag.
 */
export function allowsSource(policies: readonly string[], directives: readonly string[], url: URL, page: URL): boolean {
  return policies.every((policy) => {
    const sources = readSources(policy, directives);
    return sources === null || sources.some((source) => matches(source, url, page));
  });
}

/** Returns whether a policy allows scripts by nonces or hashes, in which case its list of hosts is not decisive. */
export function allowsByTag(policies: readonly string[]): boolean {
  return policies.some((policy) => BY_TAG.test(readSources(policy, SCRIPT)?.join(' ') ?? ''));
}

/** The sources of the first of the directives that is in the policy. Null if none is, which allows everything. */
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

/**
 * A resource that a page loads: the directives that apply, of which the first in a policy decides, and its URL. A null
 * source is inline.
 */
type PageLoad = readonly [directives: readonly string[], source: string | null];

/** Directives by element and attribute; for links by their `rel`. */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  'script src': SCRIPT,
  'img src': IMAGE,
  'img srcset': IMAGE,
  'source srcset': IMAGE,
  'source src': MEDIA,
  'video src': MEDIA,
  'video poster': IMAGE,
  'audio src': MEDIA,
  'iframe src': fetched('frame-src', 'child-src'),
  'embed src': fetched('object-src'),
  'object data': fetched('object-src'),
  'form action': ['form-action'],
  'base href': ['base-uri'],
  'stylesheet href': STYLE,
  'icon href': IMAGE,
  'manifest href': fetched('manifest-src'),
};
/** Advice shown if the policy blocks something that the site's pages load. */
export const POLICY_ADVICE = 'set SITE_POLICY to a policy that allows what the pages need, or to off';
const FONT_FACE = /@font-face\s*\{[^}]*\}/gi;
/** Matches tags, including the text of elements whose content is not HTML. */
const TAG = /<!--[\s\S]*?-->|<(?:(script|style|textarea|title)\b([^>]*)>([\s\S]*?)<\/\1|([a-z]+)\b([^>]*)>)/gi;
/** A script of any other type is data. */
const RUNS = /^(?:module|importmap|(?:text|application)\/javascript)?$/i;

/**
 * Returns what the page loads or runs although its policies block it, each once: `style-src inline`, `img-src
 * https://cdn.example`. What scripts load later can only be found in a browser. If a policy has hashes or nonces,
 * inline code counts as allowed.
 */
export function findBlocked(html: string, policies: readonly string[], page: URL): readonly string[] {
  return describeBlocked(listLoads(html), policies, page);
}

export function findBlockedInStyle(css: string, policies: readonly string[], page: URL): readonly string[] {
  return describeBlocked(listStyleLoads(css), policies, page);
}

function describeBlocked(loads: Iterable<PageLoad>, policies: readonly string[], page: URL): readonly string[] {
  const blocked = new Set<string>();
  for (const [directives, source] of loads) {
    const name = directives.find((directive) => !/-(?:elem|attr)$/.test(directive));
    const url = source === null ? null : URL.parse(source, page.href);
    if (source === null && !allowsInline(policies, directives)) blocked.add(`${name} inline`);
    if (url && !allowsSource(policies, directives, url, page)) {
      blocked.add(`${name} ${url.origin === 'null' ? url.protocol : url.origin}`);
    }
  }
  return [...blocked];
}

function allowsInline(policies: readonly string[], directives: readonly string[]): boolean {
  return policies.every((policy) => {
    const sources = readSources(policy, directives)?.join(' ');
    return sources === undefined || /'unsafe-inline'/i.test(sources) || BY_TAG.test(sources);
  });
}

function* listLoads(html: string): Generator<PageLoad> {
  for (const [, textElement, textAttributes, text = '', otherElement, attributes] of html.matchAll(TAG)) {
    const element = (textElement ?? otherElement ?? '').toLowerCase();
    const tag = `<${element} ${textAttributes ?? attributes}>`;
    const rel = element === 'link' ? (readAttribute(tag, 'rel')?.toLowerCase().split(/\s+/) ?? []) : [element];
    for (const name of ['src', 'srcset', 'poster', 'data', 'action', 'href']) {
      const directives = rel.map((kind) => LOADS[`${kind} ${name}`]).find(Boolean);
      const value = directives && readAttribute(tag, name);
      const urls = name === 'srcset' ? value?.split(/,\s+/).map((entry) => entry.trim().replace(/\s.*/s, '')) : [value];
      if (directives) for (const url of urls ?? []) if (url) yield [directives, url];
    }
    const isInline = element === 'script' && readAttribute(tag, 'src') === null;
    if (isInline && RUNS.test(readAttribute(tag, 'type') ?? '')) yield [SCRIPT, null];
    if (/\son[a-z]+\s*=/i.test(tag)) yield [fetched('script-src-attr', 'script-src'), null];
    const style = element === 'style' ? text : readAttribute(tag, 'style');
    if (style === null) continue;
    yield [element === 'style' ? STYLE : fetched('style-src-attr', 'style-src'), null];
    yield* listStyleLoads(style);
  }
}

function* listStyleLoads(css: string): Generator<PageLoad> {
  const plain = css.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  for (const [, url = ''] of plain.matchAll(/@import\s+(?:url\()?\s*["']?([^"')\s;]+)/gi)) yield [STYLE, url];
  for (const [rule] of plain.matchAll(FONT_FACE)) for (const url of listUrls(rule)) yield [FONT, url];
  for (const url of listUrls(plain.replaceAll(FONT_FACE, '').replaceAll(/@import[^;]*/gi, ''))) yield [IMAGE, url];
}

/** The URLs in `url()`, except references to parts of the page itself. */
function listUrls(css: string): readonly string[] {
  const found = css.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)\s]*))/gi);
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? '').filter((url) => !url.startsWith('#'));
}

export function readAttribute(tag: string, name: string): string | null {
  const [, double, single, bare] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag) ?? [];
  return (double ?? single ?? bare ?? null)?.replaceAll('&amp;', '&') ?? null;
}
