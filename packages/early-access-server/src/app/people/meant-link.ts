/** Pages that links in emails lead to. The unsubscribe token is in the query, because that page needs no scripts. */
const LINK_PAGES = ['confirm', 'unsubscribe', 'status', 'invite', 'admin'] as const;
export type LinkPage = (typeof LINK_PAGES)[number];

/** A link as it was in the email. */
export interface MeantLink {
  readonly page: LinkPage;
  /** Null if a filter has removed it. */
  readonly token: string | null;
}

/**
 * Finds a link's token even if its number sign or equals sign was URL-encoded, any number of times. The pages' scripts
 * use the same expression for fragments, so it avoids syntax that old browsers lack.
 */
export const TOKEN_OF_LINK =
  /(?:^|[^\w-]|%(?:25)*[\da-f]{2})(?:token|invite)(?:=|%(?:25)*3d)(?:3d)*([\w-]{43})(?![\w-])/i;

/** The unsubscribe link in an email's header uses the path of the API. */
const PAGE_PATH = new RegExp(
  `^/+(?:api/+(?=unsubscribe))?(${LINK_PAGES.join('|')})(?=(?:token|invite)=|[^\\p{L}\\p{N}_-]|$)/*([^?]*)`,
  'iu',
);

/** Far longer than our URLs. Bounds the work per request. */
const MAX_LENGTH = 4_000;
/** Several filters may encode a link one after another. */
const MAX_ROUNDS = 4;

/**
 * Restores a link that a mail filter or mail program has changed: `#` and `?` encoded, slashes, parameters or
 * punctuation added, the token moved into the path or query or removed. Null if the path is not one of these pages, or
 * if a name follows, as in a host's own paths. `target` is the path and query as received.
 */
export function findMeantLink(target: string): MeantLink | null {
  const bounded = target.slice(0, MAX_LENGTH);
  const [, name, rest = ''] = PAGE_PATH.exec(bounded) ?? [];
  const page = LINK_PAGES.find((known) => known === name?.toLowerCase());
  if (page === undefined || isName(decode(rest))) return null;
  return { page, token: readLinkToken(bounded.slice((name ?? '').length + bounded.indexOf(name ?? ''))) };
}

/**
 * Returns whether the page can be served for this request as it is: its path is exact, and a token in the query is
 * expected there and readable.
 */
export function isIntact(target: string, { page, token }: MeantLink): boolean {
  const [path, query = ''] = target.split(/\?(.*)/s);
  if (path !== `/${page}` && path !== `/${page}/`) return false;
  return token === null || (page === 'unsubscribe' && new URLSearchParams(query).get('token') === token);
}

/** The token in a query or fragment, or null. */
export function readLinkToken(text: string): string | null {
  return TOKEN_OF_LINK.exec(text.slice(0, MAX_LENGTH))?.[1] ?? null;
}

/** The part of a link after its origin. */
export function linkTarget({ page, token }: MeantLink): string {
  if (token === null) return `/${page}`;
  if (page === 'unsubscribe') return `/${page}?token=${token}`;
  return `/${page}#${page === 'invite' ? 'invite' : 'token'}=${token}`;
}

/** Returns whether the rest of a path is the name of another page or file. */
function isName(rest: string): boolean {
  const name = rest.replace(/^[/\\]+/, '');
  return /^[\p{L}\p{N}_.-]/u.test(name) && !/^(?:[._-]+$|(?:token|invite)=)/i.test(name);
}

function decode(text: string): string {
  let decoded = text;
  for (let round = 0; round < MAX_ROUNDS && decoded.includes('%'); round += 1) decoded = decodeOnce(decoded);
  return decoded;
}

/** If the text is not completely valid, decodes only ASCII characters. */
function decodeOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}
