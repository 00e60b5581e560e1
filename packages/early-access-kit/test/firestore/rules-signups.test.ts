import { describe, expect, it } from 'vitest';
import { merge } from '../../src/adapters/firestore/values.ts';
import { randomId } from '../../src/core/random-id.ts';
import { ATTRIBUTION_FIELDS } from '../../src/core/records.ts';
import { EXAMPLE_ATTRIBUTION } from '../../src/testing/examples.ts';
import { signupFields, signupId, signupWrite } from './records.ts';
import { change, documentName, type Fields, set, stamped } from './rest.ts';
import { ALLOWED, DENIED, rulesFixture } from './rules.fixture.ts';

const { commit, commitAsAdmin, refuses, get, query, aggregate, count } = rulesFixture();
const NOW = Date.now();

const without = (record: Fields, field: string): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

describe('creating a signup', () => {
  it('is allowed with every field, and with null for a missing session and referrer', async () => {
    expect(await commit(signupWrite(signupFields()))).toBe(ALLOWED);
    expect(await commit(signupWrite(signupFields({ session_id: null, referrer: null })))).toBe(ALLOWED);
    expect(await count('email_signups')).toBe(2);
  });

  it('is allowed with all, any one and none of the attribution fields', async () => {
    expect(await commit(signupWrite(signupFields(EXAMPLE_ATTRIBUTION)))).toBe(ALLOWED);
    for (const [field, value] of Object.entries(EXAMPLE_ATTRIBUTION)) {
      expect(await commit(signupWrite({ ...signupFields(), [field]: value }))).toBe(ALLOWED);
    }
  });

  it('is allowed with an empty map of custom fields, but nothing else', async () => {
    expect(await commit(signupWrite({ ...signupFields(), fields: {} }))).toBe(ALLOWED);
    for (const other of [{ company: 'Acme' }, '', 'Acme', 0, null]) {
      await refuses(signupWrite({ ...signupFields({ email: 'other@example.org' }), fields: other }));
    }
  });

  it('is denied while the list is closed, and cannot open it', async () => {
    const status = documentName('list_status', 'status');
    const closeList = (accepts_until: number | null) => commitAsAdmin(set(status, { accepts_until }));
    for (const until of [0, NOW - 60_000]) {
      await closeList(until);
      await refuses(signupWrite(signupFields()));
    }
    await refuses(set(status, { accepts_until: null }));
    for (const until of [NOW + 3_600_000, null]) {
      await closeList(until);
      expect(await commit(signupWrite(signupFields()))).toBe(ALLOWED);
    }
  });

  it('is denied with a state, which only the application decides', async () => {
    await refuses(signupWrite({ ...signupFields(), state: 'subscribed' }));
  });

  it.each(Object.keys(signupFields()))('is denied without %s', async (field) => {
    const record = signupFields();
    await refuses(signupWrite(without(record, field), signupId(record.email)));
  });

  it('is denied without a time, and with any time except the store’s', async () => {
    const record = signupFields();
    const name = documentName('email_signups', signupId(record.email));
    await refuses(set(name, record));
    for (const created_at of [new Date(NOW), new Date(NOW + 60_000), 'now', NOW, null]) {
      await refuses(set(name, { ...record, created_at }));
    }
  });

  it.each<[string, (string | number | boolean | null)[]]>([
    [
      'email',
      [null, 5, true, '', 'ada', 'ada@example', '@example.org', 'ada@.', 'Ada@example.org', ' ada@example.org'],
    ],
    [
      'email',
      ['ada @example.org', 'a@b@example.org', 'a<v@x.io>', 'v@x.io,w@y.io', 'v@x.io\r\nBcc:w@y.io', 'v\u200b@x.io'],
    ],
    [
      'email',
      ['"a"@x.io', 'a(b)@x.io', 'a:b@x.io', 'a;b@x.io', 'a\\b@x.io', 'a[b]@x.io', 'a\u00a0b@x.io', 'a@x\u2003y.io'],
    ],
    // Not in the normal form of `normalizeEmail`.
    [
      'email',
      [
        'ada@bücher.example',
        'ada@例え.テスト',
        'ada@ｅxample.org',
        'ada@example.org.',
        'ada@Example.org',
        'ada@example.orgＧ',
        "'ada@example.org",
        '“ada@example.org',
        '„ada@example.org',
        '(ada@example.org',
      ],
    ],
    [
      'email',
      ['ada@example.org/', 'ada@x..org', 'ada@-x.org', 'ada@x-.org', 'ada@x_y.org', 'ada@192.0.2.1', 'ada@x.2nd'],
    ],
    ['email', [`ada@${'x'.repeat(64)}.org`]],
    ['session_id', [5, true, '', 'a b c d e', 'short', '../../email_signups']],
    ['source', [null, 5, true, 'landing\u0007page', 'landing\npage']],
    ['referrer', [5, true, 'https://x.io/\u0000', 'https://x.io/\u007f']],
    ['submission_id', [null, 5, true, '', 'a b c d e', 'short']],
    ...ATTRIBUTION_FIELDS.map((field): [string, (string | number | boolean | null)[]] => [
      field,
      [null, 5, true, 'a\u0000', 'a\n', 'a\u007f'],
    ]),
  ])('is denied with a wrong %s', async (field, values) => {
    for (const value of values) await refuses(signupWrite({ ...signupFields(), [field]: value }));
  });

  it('is denied with any additional field', async () => {
    await refuses(signupWrite({ ...signupFields(), is_admin: true }));
  });

  it('is denied with any id except the hash of the address', async () => {
    const record = signupFields();
    const hash = signupId(record.email);
    for (const id of [
      randomId(),
      record.email,
      hash.toUpperCase(),
      hash.slice(1),
      signupId(record.email.toUpperCase()),
    ]) {
      await refuses(signupWrite(record, id));
    }
  });
});

describe('an existing signup', () => {
  const record = signupFields({ referrer: 'https://news.example.net/' });
  const name = documentName('email_signups', signupId(record.email));
  const created = async () => {
    await commit(signupWrite(record));
  };

  it('can only be confirmed to be one’s own with its submission_id', async () => {
    await created();
    const submissions = `email_signups/${signupId(record.email)}/submissions`;
    const { status, body } = await get(submissions, String(record.submission_id));
    expect([status, body]).toEqual([ALLOWED, [{ missing: expect.any(String), readTime: expect.any(String) }]]);
    expect((await get(submissions, randomId())).status).toBe(DENIED);
    expect((await get(`email_signups/${signupId('nobody@example.org')}/submissions`, randomId())).status).toBe(DENIED);
    await refuses(set(documentName(submissions, String(record.submission_id)), record));
    expect((await query(submissions)).status).not.toBe(ALLOWED);
  });

  it('does not reveal when it was created: a write that changes nothing is denied', async () => {
    await created();
    await refuses(change(name, {}));
    await refuses({ ...change(name, {}), currentDocument: { exists: true } });
    await refuses(change(name, record));
    await refuses(merge(name, {}, { created_at: 0 }));
  });

  it('cannot be replaced, neither by another submission nor by its own', async () => {
    await created();
    await refuses(signupWrite(signupFields({ email: record.email })));
    await refuses(signupWrite(record));
  });

  it('cannot be changed, even by a client that knows its fields', async () => {
    await created();
    for (const changes of [
      { submission_id: randomId() },
      { session_id: randomId() },
      { source: 'elsewhere' },
      { referrer: null },
      { page_url: 'https://elsewhere.example/' },
      { utm_source: 'elsewhere' },
      { email: 'somebody@example.org' },
      { created_at: new Date(NOW + 5_000) },
      { note: 'x' },
    ]) {
      await refuses(change(name, changes));
      await refuses(change(name, { ...record, ...changes }));
    }
    await refuses(stamped(change(name, {})));
    await refuses({ update: { name, fields: {} } });
    await refuses({ delete: name });
  });

  it('cannot be read', async () => {
    await created();
    expect((await get('email_signups', signupId(record.email))).status).toBe(DENIED);
  });
});

describe('the list of signups', () => {
  it('only reveals that a single address is not listed', async () => {
    const { status, body } = await get('email_signups', signupId('nobody@example.org'));
    expect(status).toBe(ALLOWED);
    expect(body).toEqual([
      expect.objectContaining({ missing: expect.stringContaining(signupId('nobody@example.org')) }),
    ]);
  });

  it('does not reveal whether a person has left it', async () => {
    const { email } = signupFields();
    const id = `left-${signupId(email)}`;
    expect((await get('email_signups', id)).status).toBe(DENIED);
    await refuses(signupWrite({ ...signupFields(), email }, id));
  });

  it('cannot be listed or counted', async () => {
    await commit(signupWrite(signupFields()));
    expect((await query('email_signups')).status).toBe(DENIED);
    expect((await aggregate('email_signups')).status).toBe(DENIED);
  });
});

describe('a batch', () => {
  const other = documentName('elsewhere', 'x');

  it('stores nothing if one of its writes is denied', async () => {
    const listed = signupFields();
    await commit(signupWrite(listed));
    const good = () => signupWrite(signupFields());
    const listedName = documentName('email_signups', signupId(listed.email));
    await refuses(good(), set(other, { x: 1 }));
    await refuses(set(other, { x: 1 }), good());
    await refuses(good(), { delete: listedName });
    await refuses(good(), change(listedName, { source: 'elsewhere' }));
    await refuses(good(), signupWrite({ ...signupFields(), is_admin: true }));
  });

  it('cannot change in a second write what the first one creates', async () => {
    const record = signupFields();
    await refuses(
      signupWrite(record),
      change(documentName('email_signups', signupId(record.email)), { source: 'elsewhere', is_admin: true }),
    );
  });

  it('cannot pass off a deleted and rewritten document as unchanged', async () => {
    const record = signupFields();
    await commit(signupWrite(record));
    const name = documentName('email_signups', signupId(record.email));
    await refuses({ delete: name }, signupWrite(signupFields({ email: record.email })));
  });
});
