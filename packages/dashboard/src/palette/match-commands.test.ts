import { expect, test } from 'vitest';
import { matchCommands } from './match-commands.ts';

const COMMANDS = [
  { id: 'people', label: 'People' },
  { id: 'add', label: 'Add a person…' },
  { id: 'campaign', label: 'Create campaign', other: 'new write email' },
];

test.each([
  ['', ['people', 'add', 'campaign']],
  ['  ', ['people', 'add', 'campaign']],
  ['PE', ['people', 'add']],
  ['pers add', ['add']],
  ['new', ['campaign']],
  ['mail', []],
  ['add@x.example', []],
  ['%_%', []],
])('“%s” finds the commands that have each of its words', (text, ids) => {
  expect(matchCommands(COMMANDS, text).map(({ id }) => id)).toEqual(ids);
});
