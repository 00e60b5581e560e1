/**
 * The pages that links in emails lead to. The token of a link to unsubscribe is in the query, because its page works
 * without scripts.
 */
const LINK_PAGES = ['confirm', 'unsubscribe', 'status', 'invite', 'admin'] as const;
export type LinkPage = (typeof LINK_PAGES)[number];

/** A link as its email had it. */
export interface MeantLink {
  readonly page: LinkPage;
  /** Null if the filter has dropped it. */
  readonly token: string | null;
}

/**
 * Finds the token of a link, also if the number sign, the equals sign or both were encoded, any number of times. The
 * pages' scripts read fragments with it, so it has nothing that an old browser does not know.
 */
export const TOKEN_OF_LINK =
  /(?:^|[^\w-]|%(?:25)*[\da-f]{2})(?:token|invite)(?:=|%(?:25)*3d)(?:3d)*([\w-]{43})(?![\w-])/i;

/** The link to unsubscribe in an email's header has the path of the API. */
const PAGE_PATH = new RegExp(
  `^/+(?:api/+(?=unsubscribe))?(${LINK_PAGES.join('|')})(?=(?:token|invite)=|[^\\p{L}\\p{N}_-]|$)/*([^?]*)`,
  'iu',
);

/** No URL of ours is nearly as long, and no request may cause more work than this. */
const MAX_LENGTH = 4_000;
/** Filters encode what others have encoded before. */
const MAX_ROUNDS = 4;

/**
 * The link that a request meant, although a mail filter or a mail program has changed it: `#` and `?` encoded, slashes,
 * parameters or punctuation added, the token moved into the path or the query, or dropped. Null if the path is not that
 * of a page, or if a name follows, as in paths of a host. `target`: the path and the query as they were received.
 */
export function findMeantLink(target: string): MeantLink | null {
  const bounded = target.slice(0, MAX_LENGTH);
  const [, name, rest = ''] = PAGE_PATH.exec(bounded) ?? [];
  const page = LINK_PAGES.find((known) => known === name?.toLowerCase());
  if (page === undefined || isName(decode(rest))) return null;
  return { page, token: readLinkToken(bounded.slice((name ?? '').length + bounded.indexOf(name ?? ''))) };
}

/**
 * Whether the page can be served as it was asked for: the path is its own, and a token in the query belongs there and
 * can be read.
 */
export function isIntact(target: string, { page, token }: MeantLink): boolean {
  const [path, query = ''] = target.split(/\?(.*)/s);
  if (path !== `/${page}` && path !== `/${page}/`) return false;
  return token === null || (page === 'unsubscribe' && new URLSearchParams(query).get('token') === token);
}

/** The token in a query or a fragment; null if there is none. */
export function readLinkToken(text: string): string | null {
  return TOKEN_OF_LINK.exec(text.slice(0, MAX_LENGTH))?.[1] ?? null;
}

/** The part of a link after its origin. */
export function linkTarget({ page, token }: MeantLink): string {
  if (token === null) return `/${page}`;
  if (page === 'unsubscribe') return `/${page}?token=${token}`;
  return `/${page}#${page === 'invite' ? 'invite' : 'token'}=${token}`;
}

/** Whether the rest of a path is the name of another page or file. */
function isName(rest: string): boolean {
  const name = rest.replace(/^[/\\]+/, '');
  return /^[\p{L}\p{N}_.-]/u.test(name) && !/^(?:[._-]+$|(?:token|invite)=)/i.test(name);
}

function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ROUNDS && decoded.includes('%'); round += 1) decoded = decodeOnce(decoded);
  return decoded;
}

/** Decodes ASCII alone if the text is not completely valid. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
