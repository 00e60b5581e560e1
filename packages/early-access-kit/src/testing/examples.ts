import { INITIAL_TOTALS } from '../core/metrics.ts';
import { randomId } from '../core/random-id.ts';
import type { Attribution, EmailSignup, Landing, SessionStart, SessionTotals, SessionUpdate } from '../core/records.ts';

/**
 * Returns a valid signup with a unique address and the given fields overridden.
 *
 * @example
 * await adapter.createSignup(exampleSignup({ email: 'ada@example.com' }));
 */
export function exampleSignup(fields: Partial<EmailSignup> = {}): EmailSignup {
  return {
    // No address may be the end of another one, such as `…ada@example.org`.
    email: `artist-${randomId()}-x@example.org`,
    session_id: randomId(),
    source: 'landing_page',
    referrer: 'https://news.example.net/prints?page=2',
    submission_id: randomId(),
    ...fields,
  };
}

/** Every attribution field, with characters that are common in links and unusual elsewhere. */
export const EXAMPLE_ATTRIBUTION: Required<Attribution> = {
  page_url: "https://prints.example/d%C3%A9but/O'Brien(1)",
  utm_source: '=HYPERLINK("https://x.io")',
  utm_medium: 'e-mail',
  utm_campaign: 'Printemps & été, 50 % 🎨',
  utm_term: '</script>',
  utm_content: 'שלום; a\\b',
};

/** All optional fields of a session's start. */
export const EXAMPLE_LANDING: Required<Landing> = {
  landing_path: "/d%C3%A9but/O'Brien(1)",
  utm_source: EXAMPLE_ATTRIBUTION.utm_source,
  utm_medium: EXAMPLE_ATTRIBUTION.utm_medium,
  utm_campaign: EXAMPLE_ATTRIBUTION.utm_campaign,
  utm_term: EXAMPLE_ATTRIBUTION.utm_term,
  utm_content: EXAMPLE_ATTRIBUTION.utm_content,
};

/**
 * Returns a valid start of a session that began at `now`.
 *
 * @example
 * await adapter.startSession(exampleSession(Date.now()));
 */
export function exampleSession(now: number, fields: Partial<SessionStart> = {}): SessionStart {
  return {
    id: randomId(),
    visitor_id: randomId(),
    session_start: now,
    referrer: null,
    user_agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
    device_type: 'mobile',
    browser: 'Safari',
    os: 'iOS',
    is_returning_visitor: false,
    total_sessions: 1,
    ...fields,
  };
}

/**
 * Returns an update of that session, with totals and start fields.
 *
 * @example
 * await adapter.updateSession(session.id, exampleUpdate(session));
 */
export function exampleUpdate(
  { id: _, ...start }: SessionStart,
  totals: Partial<SessionTotals & Pick<SessionUpdate, 'page_path'>> = {},
): SessionUpdate {
  return { ...start, ...INITIAL_TOTALS, ...totals };
}

/** Returns all permutations of a list. */
export function permutations<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, index) =>
    permutations([...things.slice(0, index), ...things.slice(index + 1)]).map((rest) => [thing, ...rest]),
  );
}
