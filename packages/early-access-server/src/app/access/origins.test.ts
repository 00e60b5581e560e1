import { describe, expect, it } from 'vitest';
import type { LogFields } from '../ports/log.ts';
import { NO_ORIGIN, originPolicy, originRefusal, originRefusalLog, parseAllowedOrigin } from './origins.ts';

const allowedOrigins = [
  'https://partner.example',
  'http://localhost:6006',
  'https://*.acme.test',
  'https://*.b.test:8443',
];
const policy = originPolicy({ allowedOrigins });
const httpsPolicy = originPolicy({ site: new URL('https://www.example.com/start'), allowedOrigins });

describe('originPolicy', () => {
  it.each([
    [undefined, 'localhost:4173'],
    ['http://localhost:4173', 'localhost:4173'],
    ['http://localhost:4173', 'LOCALHOST:4173'],
    ['https://shop.example', 'shop.example'],
  ])('%s at host %s is own', (origin, host) => {
    expect(policy.judge(origin, host)).toBe('own');
  });

  it('accepts the origin of the site behind a proxy with any Host header', () => {
    expect(httpsPolicy.judge('https://www.example.com', 'internal:8080')).toBe('own');
    expect(httpsPolicy.judge('https://preview.example', 'preview.example')).toBe('own');
  });

  it.each(['www.example.com', 'internal:8080'])(
    'treats an http page as foreign if the site is on https, at %s',
    (host) => {
      expect(httpsPolicy.judge(`http://${host}`, host)).toBe('foreign');
    },
  );

  it.each([
    'https://partner.example',
    'http://localhost:6006',
    'https://pr-7.acme.test',
    'https://pr_7.acme.test',
    'https://pr-7.b.test:8443',
  ])('%s is allowed', (origin) => {
    expect(policy.judge(origin, 'localhost:4173')).toBe('allowed');
  });

  it.each([
    'null',
    '',
    'http://partner.example',
    'https://partner.example:444',
    'https://partner.example.evil.test',
    'https://partner.exampleevil',
    'https://evil.test',
    'http://localhost:4174',
    'localhost:4173/',
    'https://acme.test',
    'https://.acme.test',
    'https://*.acme.test',
    'https://a.b.acme.test',
    'http://pr-7.acme.test',
    'https://pr-7.acme.test:8443',
    'https://pr-7.b.test',
    'https://evil.test/.acme.test',
    'https://evil.test#.acme.test',
    'https://evil-acme.test',
    'https://pr-7.acme.test.evil.test',
    `https://${'x'.repeat(64)}.acme.test`,
  ])('%j is foreign', (origin) => {
    expect(policy.judge(origin, 'localhost:4173')).toBe('foreign');
  });

  it.each([
    ['http://evil.test', 'evil.test', 'foreign'],
    ['https://evil.test', 'evil.test', 'foreign'],
    ['http://www.example.com', 'WWW.example.com', 'own'],
    ['https://www.example.com', 'www.example.com', 'own'],
    ['http://192.168.1.5:4173', '192.168.1.5:4173', 'own'],
    ['http://[fd00::5]:4173', '[fd00::5]:4173', 'own'],
    ['http://localhost:4173', 'localhost:4173', 'own'],
    ['http://1.evil.test', '1.evil.test', 'foreign'],
  ])('with a site on http, a page of %s that calls %s is %s', (origin, host, verdict) => {
    expect(originPolicy({ site: new URL('http://www.example.com') }).judge(origin, host)).toBe(verdict);
  });

  it('treats every origin as foreign without a Host header', () => {
    expect(originPolicy({}).judge('http://localhost', undefined)).toBe('foreign');
  });

  it.each([
    ['http://localhost:5173', 'localhost:4173', 'allowed'],
    ['http://127.0.0.1:8080', 'localhost:4173', 'allowed'],
    ['http://[::1]:3000', '127.0.0.1:4173', 'allowed'],
    ['https://localhost:5173', '[::1]:4173', 'allowed'],
    ['http://localhost:4173', 'localhost:4173', 'own'],
    ['http://localhost:5173', 'www.acme.test', 'foreign'],
    ['http://localhost:5173', undefined, 'foreign'],
    ['https://evil.test', 'localhost:4173', 'foreign'],
    ['http://localhost.evil.test', 'localhost:4173', 'foreign'],
    ['null', 'localhost:4173', 'foreign'],
  ] as const)('on a local run, a page of %s that calls %s is %s', (origin, host, verdict) => {
    expect(originPolicy({ allowsLocal: true }).judge(origin, host)).toBe(verdict);
    if (verdict === 'allowed') expect(originPolicy({}).judge(origin, host)).toBe('foreign');
  });
});

describe('parseAllowedOrigin', () => {
  it.each([...allowedOrigins, 'http://[::1]:3000', 'https://*.preview.acme.test'])('accepts %s', (origin) => {
    expect(parseAllowedOrigin(origin)).toBe(origin);
  });

  it('ignores one slash at the end', () => {
    expect(parseAllowedOrigin('https://acme.test/')).toBe('https://acme.test');
    expect(parseAllowedOrigin('https://*.acme.test/')).toBe('https://*.acme.test');
  });

  it.each([
    '',
    '*',
    'null',
    'acme.test',
    'https://*',
    'https://*.test',
    'https://*.*.acme.test',
    'https://a.*.acme.test',
    'https://pr-*.acme.test',
    'https://*acme.test',
    'https://acme.*',
    'https://acme.test:*',
    '*://a.acme.test',
    '*.acme.test',
    'https://*.acme.test//',
    'https://*.acme.test/*',
    'https://*.0.0.1',
    'https://Acme.test',
    'https://acme.test//',
    'https://acme.test/page',
    'https://user@acme.test',
    'ftp://acme.test',
    'xhttps://acme.test',
  ])('refuses %j', (origin) => {
    expect(parseAllowedOrigin(origin)).toBeNull();
  });
});

it('originRefusal distinguishes a page without an origin from one that is not allowed', () => {
  expect(originRefusal('null')).toMatchObject({ outcome: 'no-origin', message: expect.stringContaining('sandbox') });
  expect(originRefusal('https://evil.test')).toMatchObject({
    outcome: 'foreign-origin',
    message: expect.stringContaining('may not use'),
  });
});

describe('originRefusalLog', () => {
  const FIX = 'add it to ALLOWED_ORIGINS';

  function fixture() {
    const clock = { now: 1_000_000 };
    const lines: { level: string; event: string; fields: LogFields | undefined }[] = [];
    const note = originRefusalLog({
      log: (level, event, fields) => lines.push({ level, event, fields }),
      clock: () => clock.now,
      event: 'origin-refused',
      fix: FIX,
      fixNull: NO_ORIGIN,
    });
    return { clock, lines, note, origins: () => lines.map(({ fields }) => fields?.origin) };
  }

  it('explains what a page without an origin needs, instead of naming a setting', () => {
    const { lines, note } = fixture();
    note('null');
    expect(lines[0]?.fields).toEqual({ origin: 'null', fix: expect.stringContaining('allow-same-origin') });
  });

  it.each([
    undefined,
    'ada@example.org',
    'https://ada@example.org',
    'https://a.test/ada',
    `https://${'a.'.repeat(200)}test`,
  ])('repeats nothing that is no origin: %j', (given) => {
    const { note, origins } = fixture();
    note(given);
    expect(origins()).toEqual(['malformed']);
  });

  it('repeats origins of up to 300 characters', () => {
    const { note, origins } = fixture();
    const longest = `http://${'a.'.repeat(144)}test`.padEnd(300, 't');
    for (const origin of [longest, `${longest}t`]) note(origin);
    expect(origins()).toEqual([longest, 'malformed']);
  });

  it('logs at most 100 origins an hour', () => {
    const { clock, lines, note } = fixture();
    for (let n = 0; n < 1_000; n += 1) note(`https://${n}.test`);
    expect(lines).toHaveLength(100);
    clock.now += 3_600_000;
    note('https://late.test');
    expect(lines).toHaveLength(101);
  });
});
