import { expect, it } from 'vitest';
import { NO_HISTORY } from '../../testing/examples.ts';
import type { Person } from '../people/people.ts';
import { type SentEvent, webhookRequest } from './webhook-request.ts';

const person: Person = {
  id: '1-submission',
  email: 'ada@example.org',
  session_id: null,
  source: 'landing_page',
  referrer: null,
  created_at: 0,
  state: 'subscribed',
  ...NO_HISTORY,
  referrals: 0,
  fields: { company: '<!channel> *x* [a](https://x.io) @everyone', beta: true },
  mail: null,
  resends: null,
};

function sent(format: 'json' | 'slack' | 'discord', given: Person | null, type: SentEvent['type']) {
  const event = { id: 'event', type, at: 0, person: person.id };
  const webhook = { url: 'https://hooks.example/', secret: 'whsec_c2VjcmV0', format };
  return JSON.parse(webhookRequest(webhook, event, given, 0).body);
}

it('JSON contains the fields of the person, and none if there are none or the person is erased', () => {
  const { fields: _, ...without } = person;
  expect(sent('json', person, 'invite.redeemed').data.fields).toEqual(person.fields);
  expect(sent('json', without, 'signup.created').data).not.toHaveProperty('fields');
  expect(sent('json', null, 'signup.created').data).toEqual({ id: person.id });
});

it('a line break in a field does not look like another field', () => {
  const lines = { ...person, fields: { story: 'One\ncompany: Acme' } };
  expect(sent('slack', lines, 'signup.created').text).toMatch(/\nstory: One company: Acme$/);
});

it('chats show the fields of a new signup, in which nothing is a mention, a link or a format', () => {
  expect(sent('slack', person, 'signup.created').text).toBe(
    'New signup: ada@example.org (landing_page)\ncompany: &lt;!channel&gt; *x* [a](https://x.io) @everyone\nbeta: yes',
  );
  expect(sent('discord', person, 'signup.created')).toEqual({
    content:
      'New signup: ada@example.org \\(landing\\_page\\)\ncompany: \\<!channel\\> \\*x\\* \\[a\\]\\(https://x.io\\) @everyone\nbeta: yes',
    allowed_mentions: { parse: [] },
  });
  expect(sent('slack', person, 'invite.redeemed').text).not.toContain('company');
});

it('chats get as much of long fields as Discord takes', () => {
  for (const character of ['*', '😀', '漢']) {
    const long = {
      ...person,
      email: `${'x'.repeat(249)}@y.io`,
      source: '_'.repeat(64),
      fields: { a: character.repeat(1_000) },
    };
    const { content } = sent('discord', long, 'signup.created');
    expect(content.length).toBeLessThanOrEqual(2_000);
    expect(content).toMatch(/…$/);
    expect(content.isWellFormed()).toBe(true);
  }
});

it('chats get a sentence for each event, without an address if the person is erased', () => {
  const types = [
    'signup.created',
    'signup.confirmed',
    'signup.unsubscribed',
    'invite.redeemed',
    'person.erased',
  ] as const;
  const { fields: _, ...plain } = person;
  expect(types.map((type) => sent('slack', plain, type).text)).toEqual([
    'New signup: ada@example.org (landing_page)',
    'Confirmed their address: ada@example.org (landing_page)',
    'Unsubscribed: ada@example.org (landing_page)',
    'Accepted their invitation: ada@example.org (landing_page)',
    'A person was erased from the list: ada@example.org (landing_page)',
  ]);
  expect(sent('slack', null, 'person.erased').text).toBe('A person was erased from the list');
  expect(sent('discord', null, 'test').content).toBe(
    'This is a test: events of the early-access list will appear here',
  );
});

it('chats get 700 characters of the fields as they are, and of more than that the first 699', () => {
  const readFieldLine = (about: string) =>
    sent('slack', { ...person, fields: { a: about } }, 'signup.created').text.split('\n')[1];
  expect(readFieldLine('x'.repeat(697))).toBe(`a: ${'x'.repeat(697)}`);
  expect(readFieldLine('x'.repeat(698))).toBe(`a: ${'x'.repeat(696)}…`);
  expect(readFieldLine(`${'x'.repeat(695)}😀😀`)).toBe(`a: ${'x'.repeat(695)}…`);
});

it('every request says what it is and who sends it; JSON is signed as well', () => {
  const event = { id: 'event', type: 'signup.created', at: 0, person: person.id } as const;
  const createHeaders = (format: 'json' | 'slack') =>
    webhookRequest({ url: 'https://hooks.example/', secret: 'whsec_c2VjcmV0', format }, event, person, 1_999).headers;
  const general = { 'Content-Type': 'application/json', 'User-Agent': 'early-access-server' };
  expect(createHeaders('slack')).toEqual(general);
  const signature = expect.stringMatching(/^v1,/);
  expect(createHeaders('json')).toEqual({
    ...general,
    'webhook-id': 'event',
    'webhook-timestamp': '1',
    'webhook-signature': signature,
  });
});

it('JSON has of where a person came from what is known', () => {
  const known = { ...person, utm_source: 'news' };
  expect(Object.keys(sent('json', known, 'signup.created').data)).toEqual([
    'id',
    'email',
    'state',
    'source',
    'referrer',
    'created_at',
    'utm_source',
    'fields',
  ]);
});
