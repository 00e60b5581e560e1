import { fc } from '@early-access-kit/testkit/fast-check';
import { describe, expect, it } from 'vitest';
import { readColumnName, readValue } from './consent-words.ts';
import { readImportFile } from './run-import.ts';
import { parseValueChoices } from './value-choices.ts';
import { VALUE_MEANINGS } from './value-meanings.ts';

const NOW = Date.UTC(2026, 5, 1);

describe('the name of a column', () => {
  it.each([
    ...[
      'HasOptedOutOfEmail',
      'Opted out of email: Marketing Information',
      'unsubscribedAt',
      'DO_NOT_EMAIL',
      'Désinscrit',
    ],
    ...[
      'email_disabled',
      'Email Suppressions',
      'deactivated',
      'no_email',
      "Don't contact",
      'Abgemeldet am',
      '配信停止',
    ],
    ...[
      'No consent',
      'isInactive',
      'deleted_at',
      'Unsubscribed from newsletter subscription',
      'UnSubscribed',
      'optout2',
    ],
  ])('%s is about an opt-out', (name) => expect(readColumnName(name)).toBe('out'));

  it.each([
    ...['isSubscribed', 'OPT_IN', 'Accepts Email Marketing', 'subscribed_to_emails', 'Newsletter abonniert', 'active'],
    ...['Marketing emails', 'E-Mail-Einwilligung', 'Email permission status', '规约同意', 'emailMarketingConsent'],
  ])('%s is about an opt-in, or in doubt', (name) => expect(['in', 'doubt']).toContain(readColumnName(name)));

  it.each([
    ...[
      'Subscription end date',
      'Accepts SMS Marketing',
      'phone_confirmed_at',
      'Lead status',
      'smsOptOut',
      'isNotSubscribed',
    ],
    ...['Order cancelled items', 'banned_until', 'UNsubscribed', 'Opt-in or opt-out', 'active_subscription', 'pending'],
    ...['! subscribed', '❌ subscribed'],
  ])('%s is in doubt', (name) => expect(readColumnName(name)).toBe('doubt'));

  it.each([
    ...[
      'Name',
      'Company',
      'Activity',
      'OPTIN_IP',
      'Subscriber ID',
      'Signup source',
      'complimentary_plan',
      'NOTES',
      'Option',
    ],
    ...['Mailing city', 'adoption', 'Description', 'updated_at', ''],
  ])('%s says nothing about consent', (name) => expect(readColumnName(name)).toBeNull());
});

it.each([
  ['No consent', 'unsubscribed'],
  ['not subscribed', 'unsubscribed'],
  ['NEVER_SUBSCRIBED', 'unsubscribed'],
  ['non-subscribed', 'unsubscribed'],
  ['nicht abonniert', 'unsubscribed'],
  ['未订阅', 'unsubscribed'],
  ['["USER_SUPPRESSED"]', 'unsubscribed'],
  ['Marked as spam', 'unsubscribed'],
  ['not confirmed', 'pending'],
  ['["HARD_BOUNCE"]', 'bounced'],
  ['OptedIn', 'subscribed'],
  ['Active', 'subscribed'],
  ['joined', 'joined'],
  ['non', 'no'],
  ['Oui', 'yes'],
])('%s means %s', (value, meaning) => expect(readValue(value)).toBe(meaning));

it.each([
  ...[
    'inactive',
    'InActive',
    'nieaktywny',
    'DeActive',
    'validating',
    'not unsubscribed',
    'resubscribed',
    'soft bounced',
  ],
  ...['No longer subscribed', 'subscribed until May', 'true false', '同意しない', '2', '-1', ''],
  ...['xY', '1x', '❌ subscribed', '!active', 'Subscribed?', 'email'],
  ...['unsubscribed, they said', `subscribed ${'and '.repeat(30)}`],
])('%s is not understood', (value) => expect(readValue(value)).toBeNull());

/** A text in any spelling: as words, with any character between them, or without; in any case. */
const spelled = (phrase: string) => {
  const words = phrase.split(' ');
  const title = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  const camel = words.map((word, index) => (index === 0 ? word : title(word))).join('');
  return fc.oneof(
    fc.constantFrom(...[' ', '_', '-', '.', ' - ', ': ', '/', ''].map((separator) => words.join(separator))),
    fc.constantFrom(camel, title(camel), words.map(title).join(' '), phrase.toUpperCase(), `${title(phrase)}?`),
    fc
      .array(fc.boolean(), { minLength: phrase.length, maxLength: phrase.length })
      .map((upper) => [...phrase].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter)).join('')),
  );
};

const OUT_NAMES = [
  ...['unsubscribed', 'unsubscribe', 'opted out', 'opt out', 'has opted out of email', 'email opt out', 'do not email'],
  ...['do not contact', 'suppressed', 'email suppression', 'blocklisted', 'email blacklisted', 'blocked', 'disabled'],
  ...['deleted', 'is inactive', 'complained', 'unsubscribed at', 'unsubscribe date', 'marked as spam', 'no email'],
  ...['hard bounced', 'email bounced', 'abgemeldet', 'abgemeldet am', 'désinscrit', 'désabonné', 'disiscritto'],
  ...['dado de baja', 'uitgeschreven', 'wypisany', 'descadastrado', '配信停止', '退订', 'opted out: newsletter'],
];
const IN_NAMES = [
  ...[
    'subscribed',
    'is subscribed',
    'opt in',
    'opted in',
    'email opt in',
    'consent',
    'marketing consent',
    'permission',
  ],
  ...['accepts marketing', 'allow emails', 'newsletter', 'email marketing', 'active', 'enabled', 'confirmed'],
  ...['abonniert', 'inscrit', 'suscrito', 'iscritto', 'ingeschreven', '購読', '订阅', 'einwilligung', 'email verified'],
];
const STATUS_NAMES = ['status', 'email status', 'subscription status', 'member status', 'marketing status', 'statut'];
const YES = ['yes', 'true', '1', 'x', 'TRUE', 'Ja', 'oui', 'sí', '2024-01-31', '2024-01-31T12:00:00Z', '1706702400'];
const NO = ['no', 'false', '0', 'off', 'Nein', 'non', 'never', 'нет', '✗', '-1', 'nope'];
const OUT_VALUES = [
  ...['unsubscribed', 'not subscribed', 'never subscribed', 'non subscribed', 'no consent', 'opted out', 'opt out'],
  ...['suppressed', 'blocklisted', 'do not email', 'inactive', 'abgemeldet', 'nicht abonniert', 'désinscrit', '退订'],
  ...['no longer subscribed', 'unsubscribed by admin', 'cleaned', 'hard bounce', 'complained', '未订阅', 'deactivated'],
];

const pick = (texts: readonly string[]) => fc.constantFrom(...texts).chain(spelled);
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

function readFile(csv: string, values: readonly string[] = []) {
  const options = { now: NOW, declarations: {}, choices: [], dateOrder: null };
  return readImportFile(new Blob([csv]).stream(), { ...options, values: parseValueChoices(values) });
}

/** The states in which people get email, of a file with this value between others in one column. */
async function subscribe(name: string, value: string, others: readonly string[] = []): Promise<readonly string[]> {
  const lines = [value, ...others].map((text, index) => `p${index}@example.org,${cell(text)}\n`);
  const { people } = await readFile(`email,${cell(name)}\n${lines.join('')}`);
  return people.flatMap(({ person: { email, state } }) =>
    email.startsWith('p0') && ['subscribed', 'invited', 'joined'].includes(state) ? [state] : [],
  );
}

describe('no generated opt-out is ever subscribed without a decision', () => {
  it('if a column of opt-outs says yes, or when', async () => {
    await fc.assert(
      fc.asyncProperty(pick(OUT_NAMES), fc.constantFrom(...YES), async (name, value) => {
        expect(await subscribe(name, value)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('if a column of opt-ins says no, or nothing where others have a value', async () => {
    await fc.assert(
      fc.asyncProperty(
        pick(IN_NAMES),
        fc.constantFrom(...NO, ''),
        fc.constantFrom(...YES),
        async (name, value, yes) => {
          expect(await subscribe(name, value, [yes])).toEqual([]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('if the value of any column about consent says it, in any spelling', async () => {
    const names = pick([...OUT_NAMES, ...IN_NAMES, ...STATUS_NAMES]);
    await fc.assert(
      fc.asyncProperty(names, pick(OUT_VALUES), async (name, value) => {
        expect(await subscribe(name, value, ['subscribed'])).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('if one of several columns says it, and the others say the opposite', async () => {
    await fc.assert(
      fc.asyncProperty(pick(OUT_NAMES), pick([...IN_NAMES, ...STATUS_NAMES]), async (out, other) => {
        const csv = `email,${cell(other)},${cell(out)}\np0@example.org,subscribed,yes\n`;
        const { people } = await readFile(csv);
        for (const { person } of people) expect(['unsubscribed', 'bounced']).toContain(person.state);
      }),
    );
  });
});

describe('an unknown value of a column about consent', () => {
  const unknown = fc.stringMatching(/^[a-z]{0,5}zq[a-z]{1,5}$/);
  const names = pick([...OUT_NAMES, ...IN_NAMES, ...STATUS_NAMES]);

  it('is always a question, alone and among known words', async () => {
    const values = fc.oneof(
      unknown,
      fc.tuple(unknown, fc.constantFrom('subscribed', 'yes', 'active', 'unsubscribed')).map((words) => words.join(' ')),
    );
    await fc.assert(
      fc.asyncProperty(names, values, async (name, value) => {
        const file = await readFile(`email,${cell(name)}\na@x.io,${cell(value)}\nb@x.io,yes\n`);
        expect([file.people, file.problem]).toEqual([[], expect.stringContaining('choose what each value means')]);
        expect(file.questions.flatMap(({ values }) => values)).toContainEqual({
          ...{ value, people: 1, example: 'a@x.io', meaning: null },
        });
      }),
      { numRuns: 100 },
    );
  });

  it('means what the admin decides, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(unknown, fc.constantFrom(...VALUE_MEANINGS), async (value, meaning) => {
        const file = await readFile(`email,Status\na@x.io,${value}\nb@x.io,active\n`, [`Status:${value}=${meaning}`]);
        const states = Object.fromEntries(file.people.map(({ person }) => [person.email, person.state]));
        expect([file.problem, states['a@x.io'], states['b@x.io']]).toEqual([
          null,
          meaning === 'leave-out' ? undefined : meaning === 'ignore' ? 'subscribed' : meaning,
          'subscribed',
        ]);
        expect(file.people.some(({ isIgnoring }) => isIgnoring)).toBe(meaning === 'ignore');
      }),
    );
  });
});
