import type { FieldDeclarations } from 'early-access-kit/core';
import { describe, expect, it } from 'vitest';
import { columnFinder, parseColumnChoices } from './columns.ts';
import { IMPORT_FIELDS } from './import-fields.ts';
import { readImport } from './read-import.ts';
import { readImportFile } from './run-import.ts';
import { parseValueChoices } from './value-choices.ts';

const NOW = Date.UTC(2026, 5, 1);

async function read(
  csv: string,
  choices: readonly string[] = [],
  declarations: FieldDeclarations = {},
  values: readonly string[] = [],
) {
  const options = {
    ...{ now: NOW, declarations, dateOrder: null },
    ...{ choices: parseColumnChoices(choices, declarations), values: parseValueChoices(values) },
  };
  const file = () => new Blob([csv]).stream();
  const { columns, lines } = await readImport(file(), options);
  const read = await Array.fromAsync(lines);
  const { questions } = await readImportFile(file(), options);
  return {
    problem: columns.problem,
    uses: columns.all.map(({ name, use }) => `${name}: ${use}`),
    samples: columns.all.map(({ samples }) => samples),
    lines: read.map((line) => ('person' in line ? line.person : line.problem)),
    states: read.map((line) => ('person' in line ? line.person.state : line.problem)),
    /** The values that have to be decided. */
    open: questions.flatMap(({ name, values }) =>
      values.flatMap(({ value, people, meaning }) => (meaning === null ? [`${name}: ${value} ${people}`] : [])),
    ),
  };
}

describe('the column of the addresses', () => {
  it.each([
    ...['Email', 'E-Mail', 'EMAIL ADDRESS', 'e_mail', 'Adresse e-mail', 'Correo electrónico', 'Indirizzo e-mail'],
    ...['Endereço de e-mail', 'E-mailadres', 'E-postadress', 'Sähköposti', 'Адрес электронной почты'],
    ...['メールアドレス', '电子邮件', '이메일'],
  ])('is found by the name %s, although others have addresses, too', async (name) => {
    const { uses } = await read(`Boss,${name}\nboss@x.io,ada@example.org\n`);
    expect(uses).toEqual(['Boss: null', `${name}: email`]);
  });

  it('is found by its cells if its name is not known, or if no line has names', async () => {
    expect(await read('Name,Kontakt\nAda,ada@example.org\nBob,\n')).toMatchObject({
      uses: ['Name: null', 'Kontakt: email'],
    });
    expect(await read('Ada,ada@example.org,2026-01-31\n')).toMatchObject({
      uses: ['Column 1: null', 'Column 2: email', 'Column 3: null'],
    });
  });

  it.each([
    ['Email at work,Email\na@x.io,b@x.io', ['Email at work: null', 'Email: email']],
    ['Email,Contact\nunknown,ada@example.org', ['Email: null', 'Contact: email']],
    ['email,created_at,Date\na@x.io,2026-01-01,2026-02-01', ['email: email', 'created_at: created_at', 'Date: null']],
    ['email,Date,Signup date\na@x.io,2026-01-01,2026-02-01', ['email: email', 'Date: null', 'Signup date: created_at']],
    ['email,Unsubscribe date\na@x.io,2026-01-01', ['email: email', 'Unsubscribe date: unsubscribed_at']],
  ])('and that of the dates is the one that %j names best', async (csv, uses) => {
    expect(await read(`${csv}\n`)).toMatchObject({ problem: null, uses });
  });

  it.each([
    ['Name,Contact\nAda,ada@example.org\nBob,none\n', 'no column has email addresses; choose the column that has them'],
    ['Name,Phone\nAda,1\n', 'no column has email addresses; choose the column that has them'],
    ['A,B\na@x.io,b@x.io\n', 'columns 1 (A) and 2 (B) are both the email; choose one'],
    ['Email,E-Mail\na@x.io,b@x.io\n', 'columns 1 (Email) and 2 (E-Mail) are both the email; choose one'],
    ['date,date,email\n,,a@x.io\n', 'columns 1 (date) and 2 (date) are both the created_at; choose one'],
  ])('is a question if the file %j does not tell', async (csv, problem) => {
    expect(await read(csv)).toMatchObject({ problem, lines: [] });
  });
});

describe('the choices of the admin', () => {
  it('take the place of what columns are called', async () => {
    const csv = 'Email,Work,Date,Quelle\na@x.io,b@x.io,2026-01-31,fair\n';
    const { uses, lines } = await read(csv, ['email=work', 'ignore=3', 'utm_source=4']);
    expect(uses).toEqual(['Email: null', 'Work: email', 'Date: null', 'Quelle: utm_source']);
    expect(lines).toMatchObject([
      { email: 'b@x.io', created_at: NOW, source: 'import', attribution: { utm_source: 'fair' } },
    ]);
  });

  it("may name a column that has no name by its number, and one of the host's own fields", async () => {
    const declarations: FieldDeclarations = { company: { type: 'text', label: 'Company' } };
    const { lines } = await read('ada@example.org,Acme\n', ['fields.company=2'], declarations);
    expect(lines).toMatchObject([{ source: 'import', fields: { company: 'Acme' } }]);
  });

  it('find a column by its number, else by its name, else by a similar name; of several, the first', () => {
    const columns = ['A', 'a', 'a', '1', '', 'É', 'é'].map((name, index) => ({ number: index + 1, name }));
    const find = columnFinder(columns);
    expect(['1', 'A', 'a', 'e', '', 'b'].map((text) => find(text)?.number)).toEqual([1, 1, 2, 6, undefined, undefined]);
  });

  it('leave no other column of the dates', async () => {
    const { uses } = await read('email,Date,Day\na@x.io,2026-01-01,2026-02-01\n', ['created_at=Day']);
    expect(uses).toEqual(['email: email', 'Date: null', 'Day: created_at']);
  });

  it('leave other columns about consent in use', async () => {
    const { uses } = await read('email,Left,unsubscribed_at\na@x.io,2026-01-01,\n', ['unsubscribed_at=Left']);
    expect(uses).toEqual(['email: email', 'Left: unsubscribed_at', 'unsubscribed_at: unsubscribed_at']);
  });

  it('are refused if there is no such column', async () => {
    await expect(read('email\na@x.io\n', ['email=Work'])).rejects.toThrow('the file has no column "Work"');
  });

  it.each(['email', 'email=', '=1', 'what=1', 'fields.company=1'])('are refused if they are %j', (choice) => {
    expect(() => parseColumnChoices([choice], {})).toThrow(
      `column must be a field and a column, such as email=Work; fields are ${[...IMPORT_FIELDS, 'ignore'].join(', ')}`,
    );
  });
});

describe('an opt-out', () => {
  it.each([
    ...['status,unsubscribed', 'Status,Blocklisted', 'Email status,opted-out', 'status,Complained', 'status,disabled'],
    ...[
      'subscribed,false',
      'subscribed_to_emails,0',
      'Accepts Email Marketing,no',
      'email_marketing_consent,UNSUBSCRIBED',
    ],
    ...[
      'unsubscribed_at,2026-01-31',
      'Unsubscribed,yes',
      'has_opted_out_of_email,TRUE',
      'deleted_at,2026-01-31T12:00:00Z',
    ],
    ...['type,unsubscribed', 'Anything at all,Unsubscribed', 'state,unsubscribed', 'Etat,désinscrit'],
  ])('is understood from %s', async (pair) => {
    const [name, value] = pair.split(',');
    expect((await read(`email,${name}\nada@example.org,${value}\n`)).states).toEqual(['unsubscribed']);
  });

  it('counts more than all other columns', async () => {
    const csv = `email,status,subscribed,unsubscribed_at,deleted_at
a@x.io,active,no,,
b@x.io,active,yes,2026-01-31,
c@x.io,active,yes,,2026-01-31
d@x.io,unsubscribed,yes,,
e@x.io,active,yes,no,
`;
    expect((await read(csv)).states).toEqual([...Array(4).fill('unsubscribed'), 'subscribed']);
  });

  it.each(['status,vip', 'subscribed,maybe', 'unsubscribed_at,last week', 'Status,inactive', 'Email consent,n/a'])(
    'is not guessed from %s, but asked',
    async (pair) => {
      const [name, value] = pair.split(',');
      expect((await read(`email,${name}\nada@example.org,${value}\n`)).open).toEqual([`${name}: ${value} 1`]);
    },
  );

  it('asks what other words of its column mean', async () => {
    const csv = 'email,Notes\na@x.io,unsubscribed\nb@x.io,met at the fair\n';
    expect((await read(csv)).open).toEqual(['Notes: met at the fair 1']);
    const decided = await read(csv, [], {}, ['Notes:met at the fair=ignore']);
    expect([decided.open, decided.states]).toEqual([[], ['unsubscribed', 'subscribed']]);
    expect((await read('email,Notes\na@x.io,unsubscribed\n', ['ignore=Notes'])).states).toEqual(['subscribed']);
  });

  it('is understood in a column with the name of an own field, whose other values are not about it', async () => {
    const declarations: FieldDeclarations = { status: { type: 'text', label: 'Status' } };
    const csv = 'email,status\na@x.io,unsubscribed\nb@x.io,artist\nc@x.io,"vip, unsubscribed"\n';
    const { open, lines } = await read(csv, [], declarations);
    expect(lines).toMatchObject([
      { state: 'unsubscribed', fields: { status: 'unsubscribed' } },
      { state: 'subscribed', fields: { status: 'artist' } },
      {},
    ]);
    expect(open).toEqual(['status: vip, unsubscribed 1']);
    expect((await read(csv, ['fields.status=2'], declarations)).states).toEqual(Array(3).fill('subscribed'));
    expect((await read('email,status\na@x.io,yes\nb@x.io,no\n', [], declarations)).open).toEqual([]);
  });

  it('among other words is asked, in a column of any name', async () => {
    const csv = 'email,Tags\na@x.io,"vip, unsubscribed"\nb@x.io,vip\n';
    expect((await read(csv)).open).toEqual(['Tags: vip, unsubscribed 1']);
    expect((await read(csv, [], {}, ['2:vip, unsubscribed=unsubscribed'])).states).toEqual([
      'unsubscribed',
      'subscribed',
    ]);
  });

  it('is no longer one for a person who confirmed later', async () => {
    const csv = `email,state,created_at,confirmed_at,unsubscribed_at
a@x.io,subscribed,2026-01-01,2026-03-01,2026-02-01
b@x.io,subscribed,2026-03-01,2026-01-01,2026-02-01
c@x.io,pending,2026-03-01,,2026-02-01
`;
    expect((await read(csv)).states).toEqual(['subscribed', 'unsubscribed', 'pending']);
  });
});

it.each([
  // A region, unless a cell is a state.
  ['State\na@x.io,TX\nb@x.io,no', []],
  ['State\na@x.io,TX\nb@x.io,unsubscribed', ['State: TX 1']],
  // Counts, unless the name is a question.
  ['Visits\na@x.io,1\nb@x.io,0', []],
  ['Visits?\na@x.io,1\nb@x.io,0', ['Visits?: 1 1', 'Visits?: 0 1']],
  ['Sends\na@x.io,y\nb@x.io,n', ['Sends: y 1', 'Sends: n 1']],
  ['Sends\na@x.io,y\nb@x.io,y', []],
  // An empty cell, if others have a value and it is not our own export.
  ['Status\na@x.io,active\nb@x.io,', ['Status:  1']],
  ['confirmed\na@x.io,yes\nb@x.io,', ['confirmed:  1']],
  ['subscribed\na@x.io,yes\nb@x.io,', ['subscribed:  1']],
  ['subscribed\na@x.io,yes\nb@x.io,yes', []],
  ['unsubscribed\na@x.io,yes\nb@x.io,', []],
  ['state\na@x.io,subscribed\nb@x.io,', []],
  ['optin_time\na@x.io,2026-01-31\nb@x.io,', ['optin_time:  1']],
])('asks about each value of %j that may be an opt-out', async (column, open) => {
  expect((await read(`email,${column}\n`)).open).toEqual(open);
});

it('a date column that the admin chose still says who opted in', async () => {
  const csv = 'email,optin_time\na@x.io,2026-01-31\nb@x.io,\n';
  expect((await read(csv, ['created_at=2'])).open).toEqual(['optin_time:  1']);
  expect((await read(csv, ['ignore=2'])).open).toEqual([]);
});

it('shows three different values of each column, shortened, and no empty columns', async () => {
  const csv = `email, Name ,,\na@x.io,  Ada  , ,\nb@x.io,Ada,,\nc@x.io,Bob,,\nd@x.io,${'x'.repeat(81)},,\ne@x.io,Eve,,\n`;
  expect(await read(csv)).toMatchObject({
    uses: ['email: email', 'Name: null'],
    samples: [
      ['a@x.io', 'b@x.io', 'c@x.io'],
      ['Ada', 'Bob', 'x'.repeat(80)],
    ],
  });
});

it('reads a thousand columns', async () => {
  const file = (columns: number) => `email${',x'.repeat(columns - 1)}\na@x.io\n`;
  expect((await read(file(1_000))).uses).toHaveLength(1_000);
  await expect(read(file(1_001))).rejects.toThrow('the file has more than 1000 columns');
});

it.each([
  ['status,cleaned', 'bounced'],
  ['bounced_at,2026-01-31', 'bounced'],
  ['status,unconfirmed', 'pending'],
  ['type,unactivated', 'pending'],
  ['confirmed,no', 'pending'],
  ['confirmed,yes', 'subscribed'],
  ['invited_at,2026-01-31', 'invited'],
  ['joined_at,2026-01-31', 'joined'],
  ['status,active', 'subscribed'],
  ['type,premium', 'subscribed'],
  ['subscribed,', 'subscribed'],
])('%s is the state %s', async (pair, state) => {
  const [name, value] = pair.split(',');
  expect((await read(`email,${name}\nada@example.org,${value}\n`)).states).toEqual([state]);
});

it('a person without a date signed up at the earliest time that is known of them', async () => {
  expect((await read('email,unsub_time,confirm_time\na@x.io,2026-03-01,2026-01-31\n')).lines).toMatchObject([
    { created_at: Date.UTC(2026, 0, 31), state: 'unsubscribed' },
  ]);
});

it('every column of our own export is read', async () => {
  const cells: Readonly<Record<(typeof IMPORT_FIELDS)[number], string>> = {
    email: 'ada@example.org',
    state: 'joined',
    opt_in: 'yes',
    created_at: '2026-01-01T00:00:00.000Z',
    confirmed_at: '2026-01-02T00:00:00.000Z',
    confirmed_by: 'Reminder',
    unsubscribed_at: '',
    bounced_at: '2026-01-03T00:00:00.000Z',
    bounced_from: 'Invited',
    invited_at: '2026-01-04T00:00:00.000Z',
    joined_at: '2026-01-05T00:00:00.000Z',
    source: 'fair',
    referrer: 'https://x.io/',
    session_id: 'session-1',
    page_url: 'https://early.example/',
    utm_source: 'a',
    utm_medium: 'b',
    utm_campaign: 'c',
    utm_term: 'd',
    utm_content: 'e',
    consent_text: 'Send me news.',
    consent_page: 'https://early.example/form',
    language: 'pt-BR',
    labels: '"VIP; Press,VIP"',
    mail_state: 'sent',
    other_fields: '"{""company"":""Acme""}"',
  };
  const { uses, lines } = await read(
    `${IMPORT_FIELDS.join(',')}\n${IMPORT_FIELDS.map((field) => cells[field]).join(',')}\n`,
  );
  expect(uses).toEqual(IMPORT_FIELDS.map((field) => `${field}: ${field}`));
  const { page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content, ...texts } = cells;
  const day = (number: number) => Date.UTC(2026, 0, number);
  expect(lines).toEqual([
    {
      email: texts.email,
      state: 'joined',
      created_at: day(1),
      confirmed_at: day(2),
      unsubscribed_at: null,
      bounced_at: day(3),
      bounced_from: 'invited',
      confirmed_by: 'reminder',
      invited_at: day(4),
      joined_at: day(5),
      source: texts.source,
      referrer: texts.referrer,
      session_id: texts.session_id,
      labels: ['Press', 'VIP'],
      attribution: { page_url, utm_source, utm_medium, utm_campaign, utm_term, utm_content },
      consent_text: texts.consent_text,
      consent_page: texts.consent_page,
      language: 'pt',
      mail_state: 'sent',
      fields: { company: 'Acme' },
    },
  ]);
});

it.each([
  ['consent_text', 'x'.repeat(2_001), 'consent_text must have at most 2000 characters'],
  ['consent_page', 'x'.repeat(2_049), 'consent_page must have at most 2048 characters'],
  ['confirmed_by', 'fax', 'confirmed_by must be one of confirmation, reminder, correction'],
  ['mail_state', 'lost', 'mail_state must be one of queued, sending, sent, failed, unknown'],
  ['session_id', 'x', /^session_id must be 8 to 64/],
  ['bounced_at', '2027-01-01', 'bounced_at is in the future'],
])('names the problem of %s', async (name, cell, problem) => {
  expect((await read(`email,${name}\nada@example.org,${cell}\n`)).lines).toEqual([expect.stringMatching(problem)]);
});
