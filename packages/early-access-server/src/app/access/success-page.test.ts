import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { originPolicy } from './origins.ts';
import { judgeSuccessPage } from './success-page.ts';

const BASE = 'https://www.acme.example';
const policy = originPolicy({ site: new URL(BASE), allowedOrigins: ['https://*.shop.example'] });
const judge = (given: string) =>
  judgeSuccessPage(given, BASE, (origin) => policy.judge(origin, 'www.acme.example') !== 'foreign');

it.each([
  ['/thanks', { url: `${BASE}/thanks` }],
  ['thanks?lang=de#top', { url: `${BASE}/thanks?lang=de#top` }],
  ['https://eu.shop.example/done', { url: 'https://eu.shop.example/done' }],
  ['https://evil.test/thanks', { refused: 'https://evil.test' }],
  ['//evil.test', { refused: 'https://evil.test' }],
  ['/\\evil.test', { refused: 'https://evil.test' }],
  ['\thttps:evil.test', { url: `${BASE}/evil.test` }],
  ['https://www.acme.example@evil.test/', { refused: 'malformed' }],
  ['https://www.acme.example.evil.test/', { refused: 'https://www.acme.example.evil.test' }],
  ['http://www.acme.example/', { refused: 'http://www.acme.example' }],
  ['javascript:alert(1)', { refused: 'malformed' }],
  ['data:text/html,x', { refused: 'malformed' }],
  ['/thanks?email=ada%40example.org', { refused: 'malformed' }],
  ['/thanks?ada%40example.org', { refused: 'malformed' }],
  ['/thanks/ada@example.org', { refused: 'malformed' }],
  ['/thanks/ada%40example.org', { refused: 'malformed' }],
  ['/@acme/thanks', { url: `${BASE}/@acme/thanks` }],
  [`/${'x'.repeat(2_048)}`, { refused: 'malformed' }],
])('%j: %j', (given, expected) => {
  expect(judge(given)).toEqual(expected);
});

it('never leads to another origin, as a browser reads the location', () => {
  const part = fc.constantFrom(
    'https:',
    'http:',
    '//',
    '/',
    '\\',
    '@',
    '?',
    '#',
    '\t',
    '\n',
    'evil.test',
    '..',
    ':',
    'a',
  );
  const text = fc.oneof(
    fc.webUrl(),
    fc.string(),
    fc.array(part).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(text, (given) => {
      const page = judge(given);
      if ('url' in page)
        expect(new URL(page.url, 'https://elsewhere.test').origin).toMatch(
          /^https:\/\/(www\.acme|[\w-]+\.shop)\.example$/,
        );
    }),
  );
});
