import { expect, it } from 'vitest';
import { readImportFile } from './run-import.ts';
import { parseValueChoices } from './value-choices.ts';
import { VALUE_MEANINGS } from './value-meanings.ts';

function read(csv: string, ...values: string[]) {
  const options = { now: Date.UTC(2026, 5, 1), declarations: {}, choices: [], dateOrder: null };
  return readImportFile(new Blob([csv]).stream(), { ...options, values: parseValueChoices(values) });
}

const states = async (csv: string, ...values: string[]) => {
  const { people } = await read(csv, ...values);
  return people.map(({ person }) => `${person.email.split('@')[0]} ${person.state}`);
};

it('lists fifty values of a column, those to decide first, and how many more there are', async () => {
  const lines = Array.from({ length: 60 }, (_, index) => `p${index}@x.io,grade ${index}\n`).join('');
  const file = await read(`email,Status\na@x.io,active\n${lines}b@x.io,Grade 59\n`);
  const [question] = file.questions;
  expect([question?.values.length, question?.more]).toEqual([50, 11]);
  expect(question?.values[0]).toEqual({ value: 'grade 59', people: 2, example: 'p59@x.io', meaning: null });
  expect(await states(`email,Status\na@x.io,active\n${lines}`, 'Status:*=leave-out')).toEqual(['a subscribed']);
  const decided = await states(`email,Status\na@x.io,x\n${lines}`, 'Status:*=leave-out', 'Status:x=pending');
  expect(decided).toEqual(['a pending']);
});

it('refuses two decisions about one value', async () => {
  const csv = 'email,Status\na@x.io,gone\n';
  await expect(read(csv, 'Status:gone=unsubscribed', '2:Gone=subscribed')).rejects.toThrow(
    'both unsubscribed and subscribed',
  );
  expect(await states(csv, 'Status:gone=bounced', '2:gone=bounced')).toEqual(['a bounced']);
});

it('shortens long values, and decides all with the same beginning', async () => {
  const csv = `email,Status\na@x.io,${'x'.repeat(150)}\nb@x.io,${'x'.repeat(200)}\n`;
  const [question] = (await read(csv)).questions;
  expect(question?.values).toMatchObject([{ value: 'x'.repeat(100), people: 2 }]);
  expect(await states(csv, `Status:${'x'.repeat(100)}=bounced`)).toEqual(['a bounced', 'b bounced']);
});

it('asks nothing about a person who has unsubscribed', async () => {
  const file = await read('email,unsubscribed,Status\na@x.io,yes,gone\nb@x.io,no,active\n');
  expect([file.problem, file.people.map(({ person }) => person.state)]).toEqual([null, ['unsubscribed', 'subscribed']]);
});

it.each([
  ['Wants updates', 'Yes', 'No'],
  ['Can we write to you?', '1', '0'],
  ['Gesperrt', 'nein', 'ja'],
])('asks about yes and no in a column with an unknown name: %s', async (name, yes, no) => {
  const csv = `email,${name}\na@x.io,${yes}\nb@x.io,${no}\n`;
  expect((await read(csv)).questions).toMatchObject([{ name, values: [{ meaning: null }, { meaning: null }] }]);
  expect(await states(csv, `2:${yes}=ignore`, `2:${no}=unsubscribed`)).toEqual(['a subscribed', 'b unsubscribed']);
  expect((await read(`email,${name}\na@x.io,false\nb@x.io,false\n`)).problem).toBeNull();
});

it.each([
  'No',
  'No thanks',
  'Nope',
  'rather not',
  'nein danke',
  'Marked as spam',
  'Bounced Address',
  'consent withdrawn',
])('never subscribes a person by %s in a column with any name', async (value) => {
  const csv = `email,Stay in touch?\na@x.io,Of course\nb@x.io,${value}\n`;
  expect(await states(csv)).not.toContain('b subscribed');
  expect(await states(csv, '2:*=leave-out')).toContain('a subscribed');
});

it('stops at a line above the names that is about an opt-out', async () => {
  const file = await read('Unsubscribed contacts\nemail,name\na@x.io,Ada\n');
  expect([file.problem, file.people]).toEqual([expect.stringContaining('"Unsubscribed contacts"'), []]);
  expect((await read('Contacts of May\nemail,name\na@x.io,Ada\n')).people).toHaveLength(1);
});

it('asks about an empty cell among others, unless another column says whether they want email', async () => {
  const csv = 'email,Newsletter,Opted out\na@x.io,yes,\nb@x.io,,\nc@x.io,,no\nd@x.io,,yes\n';
  expect((await read(csv)).questions).toMatchObject([
    { name: 'Newsletter', values: [{ value: '', people: 1, example: 'b@x.io', meaning: null }, { value: 'yes' }] },
  ]);
  const decided = ['a subscribed', 'b pending', 'c subscribed', 'd unsubscribed'];
  expect(await states(csv, 'Newsletter:=pending')).toEqual(decided);
});

it.each(['NULL', '[]', '-', '', 'None', String.raw`\N`, '0000-00-00 00:00:00'])('%j is an empty cell', async (cell) => {
  expect(await states(`email,Opted out\na@x.io,${cell}\nb@x.io,yes\n`)).toEqual(['a subscribed', 'b unsubscribed']);
});

it('the strictest of several columns and of several lines counts', async () => {
  const csv = 'email,Status,confirmed,bounced\na@x.io,active,no,\nb@x.io,pending,yes,yes\nc@x.io,active,yes,\n';
  expect(await states(csv)).toEqual(['a pending', 'b bounced', 'c subscribed']);
  const lines = 'email,Status\na@x.io,active\na@x.io,bounced\na@x.io,pending\nb@x.io,gone\nb@x.io,active\n';
  expect(await states(lines, 'Status:gone=leave-out')).toEqual(['a bounced']);
  expect(await states(`${lines}b@x.io,unsubscribed\n`, 'Status:gone=leave-out')).toEqual([
    'a bounced',
    'b unsubscribed',
  ]);
});

it('an opt-out without a time is not undone by a confirmation', async () => {
  const csv =
    'email,confirmed_at,unsubscribed_at,Opted out\na@x.io,2024-02-01,2024-01-01,yes\nb@x.io,2024-02-01,2024-01-01,no\n';
  expect(await states(csv)).toEqual(['a unsubscribed', 'b subscribed']);
});

it('a person is left out whose other line has a problem and may be an opt-out', async () => {
  const csv = `email,Status,Date
a@x.io,active,2024-01-31
A@x.io,unsubscribed,never
b@x.io,active,2024-01-31
b@x.io,active,never
c@x.io,unsubscribed,2024-01-31
c@x.io,bounced,never
`;
  const file = await read(csv);
  expect([file.problem, file.people.map(({ person }) => `${person.email} ${person.state}`)]).toEqual([
    null,
    ['b@x.io subscribed', 'c@x.io unsubscribed'],
  ]);
  expect(file.others.map(({ line, result }) => `${line} ${result}`)).toEqual([
    ...['3 problem', '5 problem', '7 problem', '2 left-out'],
  ]);
});

it('has bounds for columns, choices and what it lists', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `Status ${index}`);
  const file = await read(`email,${names.join()}\na@x.io,${names.map(() => 'gone').join()}\n`);
  expect(file.questions).toHaveLength(50);
  expect(file.problem).toMatch(/^columns 2 \(Status 0\), .*, 6 \(Status 4\) and 55 more may say/);
  await expect(read(`email${',x'.repeat(1_000)}\na@x.io\n`)).rejects.toThrow('the file has more than 1000 columns');
  expect(() => parseValueChoices([`Status:${'x'.repeat(1_000)}=ignore`])).toThrow('value must be');
});

it('a choice may name columns and values with colons and equals signs', async () => {
  const csv = 'email,Opted out: all,Opted out\na@x.io,a:b=c,\nb@x.io,,x: 1\n';
  expect(await states(csv, 'Opted out: all:a:b=c=bounced', '3:x: 1=unsubscribed')).toEqual([
    'a bounced',
    'b unsubscribed',
  ]);
});

it('a choice about a column that says nothing concerns only its value', async () => {
  expect(await states('email,Plan\na@x.io,former\nb@x.io,gold\n', 'Plan:former=unsubscribed')).toEqual([
    'a unsubscribed',
    'b subscribed',
  ]);
});

it('counts people who are subscribed only because a value or a column is ignored', async () => {
  const csv = 'email,Status,Newsletter\na@x.io,gone,yes\nb@x.io,active,yes\nc@x.io,gone,no\n';
  const file = await read(csv, 'Status:gone=ignore');
  expect(file.people.map(({ isIgnoring, person }) => `${person.state} ${isIgnoring}`)).toEqual([
    'subscribed true',
    'subscribed false',
    'unsubscribed false',
  ]);
  const choices = [{ use: null, column: 'Newsletter' }];
  const options = { now: Date.UTC(2026, 5, 1), declarations: {}, dateOrder: null };
  const ignored = await readImportFile(new Blob(['email,Newsletter\na@x.io,no\nb@x.io,yes\n']).stream(), {
    ...options,
    choices,
  });
  expect(ignored.people.map(({ isIgnoring }) => isIgnoring)).toEqual([true, false]);
});

it.each(['Status', 'Status:x', 'Status:x=', 'Status:x=maybe', ':x', 'x=ignore'])('refuses the choice %j', (choice) => {
  expect(() => parseValueChoices([choice])).toThrow(`it means ${VALUE_MEANINGS.join(', ')}`);
});

it('finds the date of signing up by its name and its cells, and asks which of two equal ones', async () => {
  const read1 = async (name: string, date: string) => {
    const { people, columns } = await read(`email,"${name}"\na@x.io,"${date}"\n`);
    return [columns[1]?.use, people[0]?.isDated];
  };
  for (const name of [
    'Create Date',
    'createdAt',
    'Created time',
    'Submit Date (UTC)',
    'タイムスタンプ',
    'Subscribed',
  ]) {
    expect([name, ...(await read1(name, '2024-01-31'))]).toEqual([name, 'created_at', true]);
  }
  for (const name of ['Start Date', 'Last seen', 'Birth date', 'updated_at', 'Connected On', 'Signed up until']) {
    expect([name, ...(await read1(name, '2024-01-31'))]).toEqual([name, null, false]);
  }
  expect(await read1('Signed up', 'in the shop')).toEqual([null, false]);
  expect((await read('email,Created,Added\na@x.io,2024-01-31,2024-01-31\n')).problem).toBe(
    'columns 2 (Created) and 3 (Added) are both the created_at; choose one',
  );
});
