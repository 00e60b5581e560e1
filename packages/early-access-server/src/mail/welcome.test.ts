import { expect, it } from 'vitest';
import { welcomeComposer } from './welcome.ts';

const SITE = 'https://printmargin.example/';

it('gives every attempt of a sign-up the same Message-ID and the way to be removed', () => {
  const compose = welcomeComposer('PrintMargin <hello@printmargin.example>', SITE);
  const email = compose({ email: 'ada@example.org', messageKey: 'key-1' });
  expect(email).toMatchObject({
    to: 'ada@example.org',
    from: 'PrintMargin <hello@printmargin.example>',
    messageId: '<key-1@printmargin.example>',
    headers: { 'List-Unsubscribe': '<mailto:hello@printmargin.example?subject=unsubscribe>' },
  });
  expect(compose({ email: 'ada@example.org', messageKey: 'key-1' })).toEqual(email);
});

it('refuses what is no sender', () => {
  expect(() => welcomeComposer('PrintMargin', SITE)).toThrow(TypeError);
});
