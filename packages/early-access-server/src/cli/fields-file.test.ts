import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { readFieldsFile } from './fields-file.ts';

function fileWith(text: string): string {
  const file = path.join(tempFolder(), 'fields.json');
  writeFileSync(file, text);
  return file;
}

it('reads the declaration', () => {
  const fields = { company: { type: 'text', label: 'Company', required: true } };
  expect(readFieldsFile(fileWith(JSON.stringify(fields)))).toEqual(fields);
});

it.each([
  ['is missing', null, /fields\.json must be a JSON file that can be read: .*ENOENT/],
  ['is no JSON', '{ company: 1 }', /fields\.json must be a JSON file/],
  ['contradicts itself', '{ "company": { "type": "text" } }', /fields\.json: fields\.company: label must be/],
])('names a file that %s', (_, text, message) => {
  const file = text === null ? path.join(tempFolder(), 'fields.json') : fileWith(text);
  expect(() => readFieldsFile(file)).toThrow(ConfigError);
  expect(() => readFieldsFile(file)).toThrow(message);
});
