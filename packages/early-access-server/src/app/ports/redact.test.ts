import { expect, it } from 'vitest';
import { redact } from './redact.ts';

it.each([
  ['no mailbox for ada@example.org here', 'no mailbox for [address] here'],
  ['<Ada.Lovelace+x@bücher.example>', '<[address]>'],
  ['GET /people/ada%40example.org failed', 'GET /people/[address] failed'],
  ['Key (email)=(ada@example.org) already exists', 'Key (email)=([address]) already exists'],
  ['no server at ada@localhost', 'no server at [address]'],
  ['connect postgres://app:p@ss/w0rd@db.example.com:5432/list', 'connect postgres://[secret]@db.example.com:5432/list'],
  ['smtps://user@mail.example.com', 'smtps://[secret]@mail.example.com'],
  ['password=hunter2 host=db', 'password=[secret] host=db'],
  ['passwd: hunter2, Credential=hunter2', 'passwd: [secret], Credential=[secret]'],
  ['INVITE_KEY=hunter2', 'INVITE_KEY=[secret]'],
  ['{"api_key": "a b", "id": 7}', '{"api_key": [secret], "id": 7}'],
  ["apiKey: 'hunter2'", 'apiKey: [secret]'],
  ['api-key: hunter2', 'api-key: [secret]'],
  ['GET https://api.example.com/x?token=abc&id=1', 'GET https://api.example.com/x?token=[secret]&id=1'],
  ['Authorization: Bearer abc.def', 'Authorization: [secret] [secret]'],
  ['sent with bearer  abc.def', 'sent with bearer [secret]'],
  ['key sk_live_4eC39HqLyjWDarjtT1zdp7dc is revoked', 'key [secret] is revoked'],
  ['token a-Zk31-x9Qm_7LpV2-c8Rt-0Ws5-Yb6NdE4hG-fJ1u expired', 'token [secret] expired'],
  [`${'ab12'.repeat(16)}: not found`, '[secret]: not found'],
  [`${'AB12'.repeat(8)} is not ${'CD34'.repeat(8)}`, '[secret] is not [secret]'],
])('removes what looks like a credential or an address from %s', (text, expected) => {
  expect(redact(text)).toBe(expected);
});

it.each([
  'SQLITE_CONSTRAINT_PRIMARYKEY: UNIQUE constraint failed: email_signups.email',
  'duplicate key value violates unique constraint "email_signups_pkey"',
  "ENOENT: no such file or directory, open '/srv/early access/data/mail/message-12.eml'",
  'connect ECONNREFUSED 127.0.0.1:5432',
  'connect ECONNREFUSED ::1:5432',
  'getaddrinfo ENOTFOUND db.internal.example.com',
  'https://api.example.com/v1/people responded 503',
  'message 0190f5a2-7c1d-7b3e-9a4f-3c5d6e7f8091 was not found',
])('leaves %s as it is', (text) => {
  expect(redact(text)).toBe(text);
});

it('cuts a text after a thousand characters', () => {
  expect(redact('a '.repeat(500))).toBe('a '.repeat(500));
  expect(redact('a '.repeat(501))).toBe(`${'a '.repeat(500)}…`);
});

it('cuts long texts, in little time', () => {
  const start = performance.now();
  for (const part of ['a', 'a@', '@', '://', 'key=', 'a1-', '-', '%40', 'bearer ', '"']) {
    expect(redact(part.repeat(1_000_000)).length).toBeLessThan(10_000);
  }
  expect(performance.now() - start).toBeLessThan(2_000);
});
