import { expect, it } from 'vitest';
import type { Person } from '../admin/people.ts';
import { webhookRequest } from './webhook-request.ts';

const person: Person = {
  id: '1-submission',
  email: 'ada@example.org',
  session_id: null,
  source: 'landing_page',
  referrer: null,
  created_at: 0,
  state: 'subscribed',
  fields: { company: '<!channel> *x* [a](https://x.io) @everyone', beta: true },
  mail: null,
};

function sent(format: 'json' | 'slack' | 'discord', given: Person | null, type: 'signup.created' | 'invite.redeemed') {
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
