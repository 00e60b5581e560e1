import type { TestedMutant } from './mutant.ts';

/** A change that no test can notice, because the program does the same with it. */
interface Equivalent {
  readonly file: string;
  /** The changed lines, as `npm run test:mutation` prints them. */
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

const RULES = 'packages/firebase/firestore.rules';

/** Each has been looked at. Remove an entry when its line changes: the command fails if one is noticed, or is not found any more. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'packages/early-access-server/src/app/access/client-networks.ts',
    before: "const entry = (forwarded[Math.max(0, forwarded.length - hops)] ?? '').trim();",
    after: 'const entry = (forwarded[Math.max(0, forwarded.length - hops)] ?? "Stryker was here!").trim();',
    reason: 'Neither text is an address.',
  },
  {
    file: 'packages/early-access-server/src/app/access/client-networks.ts',
    before: "const address = entry.length > MAX_ENTRY_LENGTH ? '' : withoutPort(entry);",
    after: 'const address = entry.length > MAX_ENTRY_LENGTH ? "Stryker was here!" : withoutPort(entry);',
    reason: 'Neither text is an address.',
  },
  {
    file: 'packages/early-access-server/src/app/access/client-networks.ts',
    before: "const [withoutZone = ''] = address.split('%');",
    after: 'const [withoutZone = "Stryker was here!"] = address.split(\'%\');',
    reason: 'Every text has a first part.',
  },
  {
    file: 'packages/early-access-server/src/app/access/client-networks.ts',
    before: 'if (hops === 0 || forwardedFor === undefined) return remoteAddress;',
    after: 'if (false || forwardedFor === undefined) return remoteAddress;',
    reason: 'Without proxies, the entry read lies behind the last one, so it is no address.',
  },
  {
    file: 'packages/early-access-server/src/app/access/origins.ts',
    before: "exact.has(origin) || wildcards.some(([start = '', end = '']) => isOneLabelBetween(start, end, origin));",
    after:
      'exact.has(origin) || wildcards.some(([start = "Stryker was here!", end = \'\']) => isOneLabelBetween(start, end, origin));',
    reason: 'A text with an asterisk has two parts.',
  },
  {
    file: 'packages/early-access-server/src/app/access/origins.ts',
    before: "exact.has(origin) || wildcards.some(([start = '', end = '']) => isOneLabelBetween(start, end, origin));",
    after:
      'exact.has(origin) || wildcards.some(([start = \'\', end = "Stryker was here!"]) => isOneLabelBetween(start, end, origin));',
    reason: 'A text with an asterisk has two parts.',
  },
  {
    file: 'packages/early-access-server/src/app/access/origins.ts',
    before: "function loggable(origin = ''): string {",
    after: 'function loggable(origin = "Stryker was here!"): string {',
    reason: 'Neither text is an origin.',
  },
  {
    file: 'packages/early-access-server/src/app/access/rate-limits.ts',
    before: 'return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60) / perMinute);',
    after: 'return tokens > 1 ? 0 : Math.ceil(((1 - tokens) * 60) / perMinute);',
    reason: 'A whole token is zero seconds away in both.',
  },
  {
    file: 'packages/early-access-kit/src/core/fields.ts',
    before:
      'text = /^\\w+:\\/\\//.test(text) ? text.replace(/^https?:/i, (scheme) => scheme.toLowerCase()) : `https://${text}`;',
    after:
      'text = /^\\w+:\\/\\//.test(text) ? text.replace(/https?:/i, (scheme) => scheme.toLowerCase()) : `https://${text}`;',
    reason: 'A text with another scheme is no web address, whatever its lower case.',
  },
  {
    file: 'packages/early-access-kit/src/core/random-id.ts',
    before: '(+digit ^ (+crypto.getRandomValues(new Uint8Array(1)) & (15 >> (+digit / 4)))).toString(16),',
    after: '(+digit ^ (-crypto.getRandomValues(new Uint8Array(1)) & (15 >> (+digit / 4)))).toString(16),',
    reason: 'The last bits of a negative random number are as random.',
  },
  {
    file: RULES,
    before: 'allow get: if signupsAreDirect()',
    after: 'allow get: if true',
    reason: 'The function is true in these rules; the generated ones replace it.',
  },
  {
    file: RULES,
    before: 'allow create: if signupsAreDirect()',
    after: 'allow create: if true',
    reason: 'The function is true in these rules; the generated ones replace it.',
  },
  {
    file: RULES,
    before: 'allow get: if signupsAreDirect()',
    after: 'allow get: if true',
    reason: 'The function is true in these rules; the generated ones replace it.',
  },
  {
    file: RULES,
    before: '&& exists(/databases/$(database)/documents/email_signups/$(id))',
    after: '&& true',
    reason: 'Reading a document that does not exist is an error, which denies as well.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('page_url', ''), 2048)",
    after: "&& isText(data.get('page_url', 'another'), 2048)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "return isText(data.get('utm_source', ''), 256)",
    after: "return isText(data.get('utm_source', 'another'), 256)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('utm_medium', ''), 256)",
    after: "&& isText(data.get('utm_medium', 'another'), 256)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('utm_campaign', ''), 256)",
    after: "&& isText(data.get('utm_campaign', 'another'), 256)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('utm_term', ''), 256)",
    after: "&& isText(data.get('utm_term', 'another'), 256)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('utm_content', ''), 256);",
    after: "&& isText(data.get('utm_content', 'another'), 256);",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& isText(data.get('landing_path', ''), 1024)",
    after: "&& isText(data.get('landing_path', 'another'), 1024)",
    reason: 'Any short text in place of a missing one is valid.',
  },
  {
    file: RULES,
    before: "&& data.get('session_end', 0) >= old.get('session_end', 0)",
    after: "&& data.get('session_end', 1) >= old.get('session_end', 0)",
    reason: 'No end is as small as these numbers, so they only mean that there is none.',
  },
  {
    file: RULES,
    before: "&& data.get('session_end', 0) >= old.get('session_end', 0)",
    after: "&& data.get('session_end', 0) >= old.get('session_end', -1)",
    reason: 'No end is as small as these numbers, so they only mean that there is none.',
  },
  {
    file: RULES,
    before: '&& data.expires_at is timestamp',
    after: '&& true',
    reason: 'Other types have no `toMillis`, which is an error, which denies as well.',
  },
  {
    file: RULES,
    before: 'return value is string',
    after: 'return true',
    reason: 'Other types have no `matches`, which is an error, which denies as well.',
  },
  {
    file: RULES,
    before: "return value is string && value.matches('[A-Za-z0-9_-]{8,64}');",
    after: "return true && value.matches('[A-Za-z0-9_-]{8,64}');",
    reason: 'Other types have no `matches`, which is an error, which denies as well.',
  },
  {
    file: RULES,
    before: "return value is string && value.size() <= maxLength && value.matches('[^\\\\x00-\\\\x1f\\\\x7f]*');",
    after: "return true && value.size() <= maxLength && value.matches('[^\\\\x00-\\\\x1f\\\\x7f]*');",
    reason: 'Other types have no `matches`, which is an error, which denies as well.',
  },
  {
    file: RULES,
    before: 'return value is timestamp',
    after: 'return true',
    reason: 'Other types have no `toMillis`, which is an error, which denies as well.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before:
      "if (!Array.isArray(record) || typeof line !== 'number') throw new TypeError('the CSV parser returned no record');",
    after: 'if (!Array.isArray(record) || typeof line !== \'number\') throw new TypeError("");',
    reason: 'It always returns one; the check is for the types.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: "if (code === 'CSV_QUOTE_NOT_CLOSED') return refused(line, 'a quote is not closed');",
    after: "if (true) return refused(line, 'a quote is not closed');",
    reason: 'With these options the parser reports nothing else; a later release might.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: "return refused(line, 'is not CSV');",
    after: 'return refused(line, "");',
    reason: 'With these options the parser reports nothing else; a later release might.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: "if (isValidEmail(cells[0] ?? '')) return BY_POSITION;",
    after: 'if (isValidEmail(cells[0] ?? "Stryker was here!")) return BY_POSITION;',
    reason: 'Neither text is an address.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: "return { problem: error.message.replace(/^early-access-kit: /, '') };",
    after: "return { problem: error.message.replace(/early-access-kit: /, '') };",
    reason: 'Messages contain it at their beginning only.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: "const [, day, clock = '00:00', zone = 'Z'] = DATE.exec(text) ?? [];",
    after: "const [, day, clock = '00:00', zone = 'Z'] = DATE.exec(text) ?? [\"Stryker was here\"];",
    reason: 'The first element is skipped.',
  },
  {
    file: 'packages/early-access-server/src/app/list/import.ts',
    before: 'const time = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);',
    after: 'const time = Date.parse(`${day}T${clock}${zone.toLowerCase()}`);',
    reason: 'V8 reads either; the standard knows the capital letter only.',
  },
  {
    file: 'packages/early-access-server/src/app/analytics/analytics-of.ts',
    before: "touch: touches.get(signup.session_id ?? '') ?? bounded(touchOfSignup(signup), signup.created_at),",
    after:
      'touch: touches.get(signup.session_id ?? "Stryker was here!") ?? bounded(touchOfSignup(signup), signup.created_at),',
    reason: 'Neither text is the id of a session.',
  },
  {
    file: 'packages/early-access-server/src/app/analytics/analytics-of.ts',
    before:
      'for (const session of sessions.toSorted((a, b) => a.session_start - b.session_start || (a.id < b.id ? -1 : 1))) {',
    after:
      'for (const session of sessions.toSorted((a, b) => a.session_start - b.session_start || (a.id <= b.id ? -1 : 1))) {',
    reason: 'No two sessions have one id.',
  },
  {
    file: 'packages/early-access-server/src/app/analytics/breakdown.ts',
    before: '.sort((a, b) => b.visitors - a.visitors || b.signups - a.signups || (a.value < b.value ? -1 : 1));',
    after: '.sort((a, b) => b.visitors - a.visitors || b.signups - a.signups || (a.value <= b.value ? -1 : 1));',
    reason: 'No two rows have one value.',
  },
  {
    file: 'packages/early-access-server/src/app/analytics/touch.ts',
    before: "landing_path: URL.parse(signup.page_url ?? '')?.pathname.slice(0, MAX_LENGTH.landing_path) ?? '',",
    after:
      'landing_path: URL.parse(signup.page_url ?? "Stryker was here!")?.pathname.slice(0, MAX_LENGTH.landing_path) ?? \'\',',
    reason: 'Neither text is a URL.',
  },
  {
    file: 'packages/early-access-server/src/app/analytics/touch.ts',
    before: "return (URL.parse(url ?? '')?.host ?? '').replace(/^www\\./, '');",
    after: "return (URL.parse(url ?? \"Stryker was here!\")?.host ?? '').replace(/^www\\./, '');",
    reason: 'Neither text is a URL.',
  },
  {
    file: 'packages/early-access-server/src/app/mail/mail-quota.ts',
    before: "const name = /^.[^+]*/.exec(local)?.[0] ?? '';",
    after: 'const name = /^.[^+]*/.exec(local)?.[0] ?? "Stryker was here!";',
    reason: 'Every address has a character before its at sign.',
  },
  {
    file: 'packages/early-access-server/src/app/mail/mail-quota.ts',
    before: "const name = /^.[^+]*/.exec(local)?.[0] ?? '';",
    after: "const name = /.[^+]*/.exec(local)?.[0] ?? '';",
    reason: 'It matches at the first character in both.',
  },
  {
    file: 'packages/early-access-server/src/app/mail/wake-signal.ts',
    before: 'count += 1;',
    after: 'count -= 1;',
    reason: 'The count is only compared with an earlier one.',
  },
];

/** Returns the entry of a survivor. */
export function equivalentOf(mutant: TestedMutant): Equivalent | undefined {
  return EQUIVALENTS.find((entry) => isSame(entry, mutant));
}

/** Returns the entries of tested files that are not, or no longer, survivors. */
export function outdatedEquivalents(tested: readonly TestedMutant[]): readonly Equivalent[] {
  const files = new Set(tested.map(({ file }) => file));
  const survivors = tested.filter(({ outcome }) => outcome === 'survived');
  return EQUIVALENTS.filter((entry) => files.has(entry.file) && !survivors.some((mutant) => isSame(entry, mutant)));
}

function isSame(entry: Equivalent, { file, before, after }: TestedMutant): boolean {
  return entry.file === file && entry.before === before && entry.after === after;
}
