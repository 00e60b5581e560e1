import { anyText } from '@early-access-kit/testkit/any-text';
import { fc } from '@early-access-kit/testkit/fast-check';
import type { FieldDeclarations } from 'early-access-kit/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { NO_HISTORY } from '../../testing/examples.ts';
import { MAX_IMPORT_LINES, parseColumnChoices } from './columns.ts';
import { MAX_IMPORT_BYTES } from './csv-file.ts';
import type { DateOrder } from './parse-time.ts';
import type { PersonRow } from './person-row.ts';
import { readImport } from './read-import.ts';

const NOW = Date.UTC(2026, 5, 1, 12);

afterEach(() => vi.unstubAllEnvs());

async function* splitChunks(content: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

interface Options {
  readonly size?: number;
  readonly declarations?: FieldDeclarations;
  readonly choices?: readonly string[];
  readonly dateOrder?: DateOrder | null;
}

function open(content: string | Uint8Array, { size, declarations = {}, choices = [], dateOrder = null }: Options = {}) {
  const parsed = parseColumnChoices(choices, declarations);
  return readImport(splitChunks(content, size), { now: NOW, declarations, choices: parsed, dateOrder });
}

/** The person or the problem of each line. */
async function read(content: string | Uint8Array, options?: Options) {
  const lines = await Array.fromAsync((await open(content, options)).lines);
  return lines.map((entry) => {
    const { line } = entry;
    return 'person' in entry ? { line, person: entry.person } : { line, problem: entry.problem };
  });
}

const person = (email: string, rest: Partial<PersonRow> = {}): PersonRow => ({
  email,
  state: 'subscribed',
  created_at: NOW,
  ...NO_HISTORY,
  source: 'import',
  session_id: null,
  referrer: null,
  attribution: {},
  language: null,
  mail_state: null,
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
    ['2026-01-31 08:30 +0200', Date.UTC(2026, 0, 31, 6, 30)],
    ['2026-01-31 08:30:00+02', Date.UTC(2026, 0, 31, 6, 30)],
    ['2026-01-31 08:30 UTC', Date.UTC(2026, 0, 31, 8, 30)],
    ['2026/1/31 8:30:00 PM GMT+2', Date.UTC(2026, 0, 31, 18, 30)],
    ['1/31/2026, 12:05 AM', Date.UTC(2026, 0, 31, 0, 5)],
    ['31.1.2026', Date.UTC(2026, 0, 31)],
    ['Jan 31, 2026', Date.UTC(2026, 0, 31)],
    ['Sat, 31 January 2026 08:30:00 +0000', Date.UTC(2026, 0, 31, 8, 30)],
    ['2/2/2026', Date.UTC(2026, 1, 2)],
    ['1769848200', Date.UTC(2026, 0, 31, 8, 30)],
    ['1769848200.5', Date.UTC(2026, 0, 31, 8, 30)],
    ['1769848200123', Date.UTC(2026, 0, 31, 8, 30) + 123],
    ['Sat Jan 31 2026 08:30:00 GMT+0100 (Central European Standard Time)', Date.UTC(2026, 0, 31, 7, 30)],
  ])('reads the date %s, in UTC if it names no zone', async (date, created_at) => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(await read(`ada@example.org,fair,"${date}"\n`)).toMatchObject([{ person: { created_at } }]);
  });

  it('asks which number of a date is the month, if it can be either', async () => {
    const csv = 'ada@example.org,fair,3/4/2026\n';
    const problem =
      'the date can be read two ways; choose whether the day or the month comes first, or write 2026-01-31';
    expect(await read(csv)).toEqual([{ line: 1, problem }]);
    const readOrdered = async (dateOrder: DateOrder) => (await read(csv, { dateOrder }))[0];
    expect(await readOrdered('day-first')).toMatchObject({ person: { created_at: Date.UTC(2026, 3, 3) } });
    expect(await readOrdered('month-first')).toMatchObject({ person: { created_at: Date.UTC(2026, 2, 4) } });
  });

  it.each([
    'on 2026-01-31',
    '2026-01-31, noon',
    '2026-01-31T08',
    '2026-01-31 08:30.5',
    '2026-01-31 08:30x',
    '2026-01-31 08:30x+02:00',
    '2026-01-31 08:30 002:00',
    '2026-01-31 08:30 +x2:00',
    '2026-01-31 08:30 +0x:00',
    '2026-01-31 24:30',
    '2026-01-31 13:30 PM',
    '2026-01-31 08:60',
    '2026-01-31 08:30:60',
    '2026-01-31 08:30 +15:00',
    '2026-13-01',
    '31/2/2026',
    '1/31/26',
    '31-1/2026',
    'Foo 31, 2026',
    '176984820',
    '4102444800',
    '0026-01-31',
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
    const readFields = (content: string) => read(content, { declarations: fields });

    it('imports the columns that are named like them', async () => {
      const csv = `Email,Address,handle,beta,terms,other_fields
ada@example.org,Street 1,'@ada,Yes,I agree,"{""old"":""x"",""flag"":true}"
bob@example.org,,,no,,
`;
      expect(await readFields(csv)).toEqual([
        {
          line: 2,
          person: person('ada@example.org', {
            fields: { address: 'Street 1', handle: '@ada', beta: true, terms: 'I agree', old: 'x', flag: true },
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

    it('reads each type as other programs write it, and what is no longer declared with its lines', async () => {
      const declarations: FieldDeclarations = {
        story: { type: 'textarea', label: 'Story' },
        phone: { type: 'tel', label: 'Telephone' },
        prints: { type: 'number', label: 'Prints', decimals: 1 },
        opened: { type: 'date', label: 'Opened' },
        likes: { type: 'choices', label: 'Likes', options: ['art', 'music'] },
      };
      const csv = `email,story,phone,prints,opened,likes,other_fields
a@x.io,"one\r\ntwo","'+49 30 123456","'-0,5",2026-11-29,"music; art","{""old"":""a\\nb""}"
b@x.io,,030 123456,,,,
c@x.io,,,,29.11.2026,,
`;
      const fields = { story: 'one\ntwo', phone: '+4930123456', prints: '-0.5', opened: '2026-11-29' };
      expect(await read(csv, { declarations })).toMatchObject([
        { person: { fields: { ...fields, likes: 'art | music', old: 'a\nb' } } },
        { problem: 'fields.phone must be a valid value of type tel' },
        { problem: 'fields.opened must be a valid value of type date' },
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

    it('asks which of two columns of a field to read', async () => {
      const csv = 'email,handle,Handle,address\nada@example.org,a,b,Street\n';
      const { columns } = await open(csv, { declarations: fields });
      expect(columns.problem).toBe('columns 2 (handle) and 3 (Handle) are both the handle; choose one');
      expect(await readFields(csv)).toEqual([]);
      expect(await read(csv, { declarations: fields, choices: ['fields.handle=3'] })).toMatchObject([
        { person: { fields: { handle: 'b' } } },
      ]);
    });

    it.each(['x', '[1]', '{"Not a name":"x"}', '{"old":1,"older":"x"}', `{"old":"${'x'.repeat(1_001)}"}`])(
      'other fields must be as an export writes them, not %.20j',
      async (json) => {
        const cell = `"${json.replaceAll('"', '""')}"`;
        expect(await readFields(`email,other_fields\nada@example.org,${cell}\n`)).toEqual([
          { line: 2, problem: expect.stringMatching(/^other_fields must be as the export writes them/) },
        ]);
      },
    );
  });

  it('reads what the export writes', async () => {
    const csv =
      '"email","session_id","source","created_at"\r\n"\'+ada@example.org","","\'=fair \'=x","2026-01-31T10:00:00.000Z"\r\n';
    expect(await read(csv)).toEqual([
      { line: 2, person: person('+ada@example.org', { source: "=fair '=x", created_at: Date.UTC(2026, 0, 31, 10) }) },
    ]);
  });

  it.each([
    ['nobody', 'email must be a valid email address'],
    [',x', 'email must be a valid email address'],
    ['a@b.c\0', 'contains a NUL character'],
    ['=HYPERLINK("http://x")', 'contains a formula'],
    ['a@b.c,@SUM(A1)', 'contains a formula'],
    ['a@b.c,"x\ny"', /^source must be text of at most 64 characters/],
    [`a@b.c,${'x'.repeat(65)}`, /^source must be text of at most 64 characters/],
    ['a@b.c,x,2026-02-30', /^the date must look like/],
    ['a@b.c,x,31.1.26', /^the date must look like/],
    ['a@b.c,x,1969-01-31', /^the date must look like/],
    ['a@b.c,x,2026-06-02', 'the date is in the future'],
    ['a@b.c,x,,,surprise', 'has more than 4 columns'],
  ])('names the problem of %j', async (line, problem) => {
    const entries = await read(`email,source,date,state\nada@example.org,,,subscribed\n${line}\n`);
    expect(entries).toEqual([
      { line: 2, person: person('ada@example.org') },
      { line: line.includes('\n') ? 4 : 3, problem: expect.stringMatching(problem) },
    ]);
  });

  it.each([
    { file: 'without a line', content: '', message: 'the file has no people' },
    { file: 'of empty cells', content: 'email,source\n,\n', message: 'the file has no people' },
    {
      file: 'with an open quote',
      content: 'email\nada@example.org\n"bob@example.org\n',
      message: 'line 3: a quote is not closed',
    },
    {
      file: 'with a long line',
      content: `email\nada@example.org\n${'x'.repeat(1_000_000)}\n`,
      message: 'line 3: is longer than 40000 bytes',
    },
    {
      file: 'that is one quote',
      content: `email\n"${'x\n'.repeat(500_000)}`,
      message: 'line 2: a quote is not closed',
    },
    {
      file: 'with too many bytes',
      content: ' '.repeat(MAX_IMPORT_BYTES + 1),
      message: 'the file is larger than 20 MB',
    },
    {
      file: 'with too many people',
      content: `email\n${'ada@example.org\n'.repeat(MAX_IMPORT_LINES + 1)}`,
      message: 'line 100002: there are more than 100000 people',
    },
  ])('refuses a file $file', async ({ content, message }) => {
    await expect(read(content)).rejects.toMatchObject({ code: 'invalid', message: expect.stringMatching(message) });
  });

  it('ends with people and problems, or with one clear error, for any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), anyText()), fc.nat(7), async (content, size) => {
        const file = typeof content === 'string' ? `email,source\n${content}` : content;
        const entries = await read(file, { size: size + 1 }).catch((error) => {
          expect(error).toMatchObject({ code: 'invalid' });
          return [];
        });
        for (const { line } of entries) expect(line).toBeGreaterThan(0);
      }),
    );
  });
});
