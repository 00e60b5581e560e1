/** An unexpected error may quote an entire request. */
const MAX_LENGTH = 1_000;
const SECRET = '[secret]';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Applied in this order. */
const RULES: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  // A URL's password may contain an @.
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"'<>]\S*@/gi, `$1${SECRET}@`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${SECRET}`],
  [
    /((?:passw(?:or)?d|pwd|secret|token|api[_-]?key|authorization|credentials?|(?<![a-z])(?:key|cookie|signature|sig))["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s"',;&)}]+)/gi,
    `$1${SECRET}`,
  ],
  [/[^\s@"'`<>()[\],:;=/\\]+(?:@|%40)[^\s@"'`<>()[\],:;=/\\?#&]+/gi, '[address]'],
  // Long words with letters and digits, such as keys, tokens and hashes. Our own ids are UUIDs or contain no letters.
  [new RegExp(`(?<![\\w-])(?!${UUID}(?![\\w-]))(?=[\\w-]*\\d)(?=[\\w-]*[a-z])(?:\\w{20,}|[\\w-]{32,})`, 'gi'), SECRET],
];

/**
 * Removes everything that looks like a credential or an email address from text for the log. The text may come from the
 * host's code.
 */
export function redact(text: string): string {
  const start = text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
  return RULES.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), start);
}
