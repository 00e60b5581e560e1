import { HOUR_MS } from 'early-access-kit/internal';
import type { MailState, Person, PersonRecord, PersonState, TimelineEntry } from 'early-access-server/admin-api';
import { NOW, seededRandom } from './dashboard.fixture.ts';

const FIRST_NAMES =
  'amara bilal chiara dmitri elif femi greta hana ingrid jonas keiko liam marisol noor otis priya quinn rosa sven tove'.split(
    ' ',
  );
const LAST_NAMES =
  'abebe brandt castellanos dubois eriksen ferreira grant hoffmann ito jansen kowalski lindqvist moreau nakamura okafor petrov'.split(
    ' ',
  );
const HOSTS = ['example.com', 'studio.example', 'mail.example', 'a-very-long-company-name.example'];
const REFERRERS = [
  null,
  null,
  'https://news.ycombinator.com/',
  'https://www.google.com/',
  'https://www.reddit.com/r/printondemand/',
];
const REASONS: Readonly<Partial<Record<MailState, string>>> = {
  failed: '550 5.1.1 mailbox unavailable (RCPT TO)',
  unknown: 'the sending process ended before the outcome was known',
};

/** Generates people, newest first. */
export function fakePeople(count: number): Person[] {
  const random = seededRandom(12);
  const pick = <T>(values: readonly T[], fallback: T): T => values[Math.floor(random() * values.length)] ?? fallback;
  let created_at = NOW;
  return Array.from({ length: count }, (_, index): Person => {
    created_at -= Math.round(random() * HOUR_MS);
    const state = chooseMailState(random(), index);
    const newsletter = random() < 0.2;
    return {
      id: `person-${index}`,
      email: `${pick(FIRST_NAMES, 'ada')}.${pick(LAST_NAMES, 'byron')}${index}@${pick(HOSTS, 'example.com')}`,
      source: random() < 0.8 ? 'landing_page' : 'pricing_page',
      session_id: `session-of-person-${index}`,
      referrer: pick(REFERRERS, null),
      created_at,
      page_url: 'https://www.acme.example/',
      ...(newsletter && { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'launch-week' }),
      state: chooseState(state, index),
      resends: state && 'welcome',
      referrals: 0,
      confirmed_at: null,
      unsubscribed_at: null,
      bounced_at: null,
      bounced_from: null,
      confirmed_by: null,
      invited_at: null,
      joined_at: null,
      consent_text: 'I agree to receive news about the launch.',
      consent_page: 'https://www.acme.example/',
      mail: state && {
        kind: 'welcome',
        state,
        attempts: state === 'queued' ? 2 : 1,
        reason: REASONS[state] ?? null,
        next_attempt_at: NOW + 600_000,
        changed_at: created_at + 4_000,
      },
    };
  });
}

export function createRecord(person: Person): PersonRecord {
  const record = {
    ...person,
    page_views: [],
    language: 'en',
    import_id: null,
    new_email: null,
    share: { brought_by: null, credit: null, brought: [] },
    timeline: createTimeline(person),
  };
  if (person.referrer === null && !person.utm_source) return { ...record, session: null };
  return {
    ...record,
    session: {
      id: `session-of-${person.id}`,
      visitor_id: '5f2c9b61',
      session_start: person.created_at - 143_000,
      session_end: person.created_at + 20_000,
      referrer: person.referrer,
      user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:140.0) Gecko/20100101 Firefox/140.0',
      device_type: 'desktop',
      browser: 'Firefox',
      os: 'macOS',
      is_returning_visitor: true,
      total_sessions: 3,
      page_count: 4,
      total_duration: 163,
      max_scroll_depth: 92,
      click_count: 11,
      is_bounce: false,
    },
  };
}

function createTimeline({ created_at, mail, state }: Person): readonly TimelineEntry[] {
  const signup = { at: created_at, event: 'signup', by: null, email: null } as const;
  const email = mail && { kind: mail.kind, state: mail.state, reason: mail.reason, subject: null };
  return [
    signup,
    ...(mail ? [{ at: mail.changed_at, event: 'email', by: null, email } as const] : []),
    ...(state === 'invited' || state === 'joined'
      ? [{ at: created_at + HOUR_MS, event: 'invite', by: 'admin', email: null } as const]
      : []),
  ];
}

function chooseState(mail: MailState | null, index: number): PersonState {
  if (mail === 'failed') return 'bounced';
  if (index % 37 === 36) return 'unsubscribed';
  if (index % 11 === 10) return 'joined';
  return index % 7 === 6 ? 'invited' : 'subscribed';
}

function chooseMailState(random: number, index: number): MailState | null {
  if (index < 2) return 'queued';
  if (random < 0.02) return 'failed';
  if (random < 0.03) return 'unknown';
  return random > 0.99 ? null : 'sent';
}
