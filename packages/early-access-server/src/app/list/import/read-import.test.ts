import type { FieldDeclarations } from 'early-access-kit/core';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ImportedPerson } from '../../ports/list-store.ts';
import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES, readImport } from './read-import.ts';

const NOW = Date.UTC(2026, 5, 1, 12);

afterEach(() => vi.unstubAllEnvs());

async function* splitChunks(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

const read = (content: string | Uint8Array, size?: number, fields: FieldDeclarations = {}) =>
  Array.fromAsync(readImport(splitChunks(content, size), NOW, fields));

const person = (email: string, rest: Partial<ImportedPerson> = {}): ImportedPerson => ({
  email,
  source: 'import',
  created_at: NOW,
  state: 'subscribed',
  ...rest,
});

describe('readImport', () => {
  it('finds the columns by their names, in any order, and ignores others', async () => {
    expect(
      await read(
        'State;Notes;E-Mail;Date;Source\nInvited;vip; Ada@Example.org ;2026-01-31;fair\n;;bob@example.org;;\n',
      ),
    ).toEqual([
      {
        line: 2,
        person: person('ada@example.org', { state: 'invited', source: 'fair', created_at: Date.UTC(2026, 0, 31) }),
      },
      { line: 3, person: person('bob@example.org') },
    ]);
  });

  it.each(['email', 'E-Mail', 'address', 'Email address', ' e-mail address '])(
    'knows %j as the address',
    async (name) => {
      expect(await read(`source,${name}\nfair,ada@example.org\n`)).toMatchObject([{ person: { source: 'fair' } }]);
    },
  );

  it.each(['date', 'created_at', 'Signed up'])('knows %j as the date', async (name) => {
    const created_at = Date.UTC(2026, 0, 31);
    expect(await read(`email,${name}\nada@example.org,2026-01-31\n`)).toMatchObject([{ person: { created_at } }]);
  });

  it('ignores blanks around a cell, and blank cells at the end of a line', async () => {
    const [line] = await read("email,source,date,state\nada@example.org, 'fair , 2026-01-31 , Invited , ,\n");
    const rest = { source: "'fair", created_at: Date.UTC(2026, 0, 31), state: 'invited' } as const;
    expect(line).toEqual({ line: 2, person: person('ada@example.org', rest) });
  });

  it.each([
    ['1970-01-01', 0],
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31 08:30', Date.UTC(2026, 0, 31, 8, 30)],
    ['2026-01-31T08:30:05', Date.UTC(2026, 0, 31, 8, 30, 5)],
    ['2026-01-31t08:30:05.25z', Date.UTC(2026, 0, 31, 8, 30, 5, 250)],
    ['2026-01-31 08:30 +02:00', Date.UTC(2026, 0, 31, 6, 30)],
    ['2026-01-31 08:30-05:30', Date.UTC(2026, 0, 31, 14)],
  ])('reads the date %s, in UTC if it names no zone', async (date, created_at) => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(await read(`ada@example.org,fair,${date}\n`)).toMatchObject([{ person: { created_at } }]);
  });

  it.each([
    'on 2026-01-31',
    '2026-01-31, noon',
    '2026-01-31T08',
    '2026-01-31 08:30.5',
    '2026-01-31 08:30x',
    '2026-01-31 08:30 +0200',
    '2026-01-31 08:30x+02:00',
    '2026-01-31 08:30 002:00',
    '2026-01-31 08:30 +x2:00',
    '2026-01-31 08:30 +0x:00',
    '2026-01-31 08:30 +02:x0',
    '2026-01-31 08:30 +02:0x',
  ])('names the problem of the date %j', async (date) => {
    const problem = expect.stringMatching(/^the date must look like/);
    expect(await read(`ada@example.org,fair,"${date}"\n`)).toEqual([{ line: 1, problem }]);
  });

  it('finds the columns by their position if no line names them', async () => {
    expect(await read('ada@example.org\r\nbob@example.org,fair,2026-01-31 08:30,joined\r\n')).toEqual([
      { line: 1, person: person('ada@example.org') },
      {
        line: 2,
        person: person('bob@example.org', {
          source: 'fair',
          created_at: Date.UTC(2026, 0, 31, 8, 30),
          state: 'joined',
        }),
      },
    ]);
  });

  describe('with fields of the host', () => {
    const fields: FieldDeclarations = {
      address: { type: 'text', label: 'Address', required: true, maxLength: 10 },
      handle: { type: 'text', label: 'Handle' },
      beta: { type: 'checkbox', label: 'Beta' },
      terms: { type: 'checkbox', label: 'I agree', consent: true },
    };
    const readFields = (content: string) => read(content, undefined, fields);

    it('imports the columns that are named like them', async () => {
      const csv =
        "Email,Address,handle,beta,terms,other_fields\nada@example.org,Street 1,'@ada,Yes,I agree,x\nbob@example.org,,,no,,\n";
      expect(await readFields(csv)).toEqual([
        {
          line: 2,
          person: person('ada@example.org', {
            fields: { address: 'Street 1', handle: '@ada', beta: true, terms: 'I agree' },
          }),
        },
        { line: 3, person: person('bob@example.org') },
      ]);
    });

    it('imports a person without any value, who needs none', async () => {
      expect(await readFields('email,address,beta\nada@example.org,,\n')).toEqual([
        { line: 2, person: person('ada@example.org') },
      ]);
    });

    it('takes yes and no for an answer to a checkbox only', async () => {
      expect(await readFields('email,address,handle\nada@example.org,no,yes\n')).toMatchObject([
        { person: { fields: { address: 'no', handle: 'yes' } } },
      ]);
    });

    it.each([
      ['=1+1@x.io,Street,@a,,', 'contains a formula'],
      ['a@x.io,12345678901,,,', 'fields.address must have at most 10 characters'],
      ...['maybe', 'casino', 'nothing', 'hoax', 'onto'].map((answer) => [
        `a@x.io,Street,,${answer},`,
        'fields.beta must be a valid value of type checkbox',
      ]),
      ['a@x.io,Street,,,yes', 'fields.terms must be a valid value of type checkbox'],
      ['a@x.io,,handle,,', 'fields.address is required'],
    ])('says what is wrong with the line %s', async (line, problem) => {
      expect(await readFields(`email,address,handle,beta,terms\n${line}\n`)).toEqual([{ line: 2, problem }]);
    });

    it('refuses a file with two columns of a field', async () => {
      await expect(readFields('email,handle,Handle\n')).rejects.toThrow('columns 2 and 3 are both the handle');
    });
  });

  it('reads what the export writes', async () => {
    const csv =
      '"email","session_id","source","created_at"\r\n"\'+ada@example.org","","\'=fair \'=x","2026-01-31T10:00:00.000Z"\r\n';
    expect(await read(csv)).toEqual([
      { line: 2, person: person('+ada@example.org', { source: "=fair '=x", created_at: Date.UTC(2026, 0, 31, 10) }) },
    ]);
  });

  it.each(['utf8', 'utf16le'] as const)(
    'reads a file with a byte order mark in %s, however it is cut',
    async (encoding) => {
      const file = Buffer.from('\ufeffemail\tsource\nada@bücher.example\tmünchen\n', encoding);
      const expected = [{ line: 2, person: person('ada@xn--bcher-kva.example', { source: 'münchen' }) }];
      expect([await read(file), await read(file, 64)]).toEqual([expected, expected]);
    },
  );

  it('reads quoted cells, empty lines, and any mix of line ends', async () => {
    expect(await read('email,source\r"ada@example.org","a, ""b"""\n\r\nbob@example.org,x')).toEqual([
      { line: 2, person: person('ada@example.org', { source: 'a, "b"' }) },
      { line: 4, person: person('bob@example.org', { source: 'x' }) },
    ]);
  });

  it.each([
    ['nobody', 'email must be a valid email address'],
    ['', 'email must be a valid email address'],
    ['a@b.c\0', 'contains a NUL character'],
    ['=HYPERLINK("http://x")', 'contains a formula'],
    ['a@b.c,@SUM(A1)', 'contains a formula'],
    ['a@b.c,"x\ny"', /^source must be text of at most 64 characters/],
    [`a@b.c,${'x'.repeat(65)}`, /^source must be text of at most 64 characters/],
    ['a@b.c,x,2026-02-30', /^the date must look like/],
    ['a@b.c,x,31.1.2026', /^the date must look like/],
    ['a@b.c,x,1969-01-31', /^the date must look like/],
    ['a@b.c,x,2026-06-02', 'the date is in the future'],
    ['a@b.c,x,,vip', /^the state must be one of pending, subscribed/],
    ['a@b.c,x,,,surprise', 'has more than 4 columns'],
  ])('names the problem of %j', async (line, problem) => {
    const entries = await read(`email,source,date,state\nada@example.org\n${line}${line === '' ? ',' : ''}\n`);
    expect(entries).toEqual([
      { line: 2, person: person('ada@example.org') },
      { line: line.includes('\n') ? 4 : 3, problem: expect.stringMatching(problem) },
    ]);
  });

  it('names the lines that are not UTF-8', async () => {
    const latin1 = Buffer.from('ada@example.org,münchen\n', 'latin1');
    const [, entry] = await read(Buffer.concat([Buffer.from('email,source\nbob@example.org,\n'), latin1]));
    expect(entry).toEqual({ line: 3, problem: expect.stringContaining('is not UTF-8') });
  });

  it.each([
    ['', 'the file is empty'],
    [
      'name,phone\nAda,1\n',
      'line 1: name the columns, such as email,source,date,state, or begin with a person: address first',
    ],
    ['email,source,E-Mail\n', 'line 1: columns 1 and 3 are both the email'],
    ['date,date,email\n', 'line 1: columns 1 and 2 are both the date'],
    ['email\nada@example.org\n"bob@example.org\n', 'line 3: a quote is not closed'],
    [`email\nada@example.org\n${'x'.repeat(10_000_000)}\n`, 'line 3: is longer than 40000 bytes'],
    [`email\n"${'x\n'.repeat(10_000_000)}`, 'a quote is not closed'],
    [`email\n${'\n'.repeat(MAX_IMPORT_BYTES)}`, 'the file is larger than 20 MB'],
    [`email\n${'ada@example.org\n'.repeat(MAX_IMPORT_LINES + 1)}`, 'line 100002: there are more than 100000 people'],
  ])('refuses the file %.40j', async (content, message) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) });
  });

  it('ends with people and problems, or with one clear error, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), fc.nat(7), async (content, size) => {
        const file = typeof content === 'string' ? `email,source\n${content}` : content;
        const entries = await read(file, size + 1).catch((error) => {
          expect(error).toMatchObject({ code: 'invalid' });
          return [];
        });
        for (const { line } of entries) expect(line).toBeGreaterThan(0);
      }),
    );
  });
});
