import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { SETTINGS } from './setting-list.ts';
import { readFieldsFile } from './settings.ts';

const USABLE = {
  SMTP_URL: 'smtp://user:secret@mail.example.com:587',
  MAIL_FROM: 'Acme <hello@example.com>',
  PUBLIC_URL: 'https://www.example.com',
  MAILS_PER_HOUR: '100',
};

describe('the settings of the server and the functions', () => {
  it.each([
    ['SMTP_URL', ''],
    ['SMTP_URL', 'https://user:secret@mail.example.com'],
    ['MAIL_FROM', ''],
    ['PUBLIC_URL', ''],
  ] as const)('name %s if it is %j, without repeating a secret', (name, value) => {
    const check = () => SETTINGS[name].require({ ...USABLE, [name]: value });
    expect(check).toThrow(ConfigError);
    expect(check).toThrow(new RegExp(`^${name} must `));
    expect(check).not.toThrow('secret');
  });

  it.each([
    ['ADMIN_EMAIL', 'someone'],
    ['MAIL_FROM', 'Name <someone'],
  ] as const)('name %s without repeating what could be an address', (name, value) => {
    expect(() => SETTINGS[name].read({ [name]: value })).toThrow(/^(?!.*someone)/);
  });

  it.each(['BRAND_NAME', 'DATA_DIR', 'PUBLIC_URL'] as const)('refuse a line break in %s', (name) => {
    const read = () => SETTINGS[name].read({ [name]: 'https://www.example.com/a\nb' });
    expect(read).toThrow(new RegExp(`^${name} must `));
  });
});

it('normalises the address of the admin and rejects other text', () => {
  expect(SETTINGS.ADMIN_EMAIL.read({ ADMIN_EMAIL: ' Ada@Example.com ' })).toBe('ada@example.com');
  expect(() => SETTINGS.ADMIN_EMAIL.read({ ADMIN_EMAIL: 'ada' })).toThrow(/^ADMIN_EMAIL must /);
  expect(SETTINGS.ADMIN_EMAIL.read({ ADMIN_EMAIL: 'Ada@Example.com, bob@example.com' })).toBe(
    'ada@example.com,bob@example.com',
  );
  expect(() => SETTINGS.ADMIN_EMAIL.read({ ADMIN_EMAIL: 'ada@example.com,' })).toThrow(/^ADMIN_EMAIL must /);
});

it.each(['#join', '#a=b', '#invite'])(
  'refuses an INVITE_URL that ends in %s, where the token has no place',
  (fragment) => {
    const read = () => SETTINGS.INVITE_URL.read({ INVITE_URL: `https://app.example.com/${fragment}` });
    expect(read).toThrow(/^INVITE_URL must look like .* or https:\/\/app\.example\.com\/#\/join, not /);
  },
);

function writeFieldsFile(text: string): string {
  const file = path.join(tempFolder(), 'fields.json');
  writeFileSync(file, text);
  return file;
}

it.each([
  ['is missing', null, /fields\.json must be a JSON file that can be read: .*ENOENT/],
  ['is no JSON', '{ company: 1 }', /fields\.json must be a JSON file/],
  ['contradicts itself', '{ "company": { "type": "text" } }', /fields\.json: fields\.company: label must be/],
])('readFieldsFile names a file that %s', (_, text, message) => {
  const file = text === null ? path.join(tempFolder(), 'fields.json') : writeFieldsFile(text);
  expect(() => readFieldsFile(file)).toThrow(ConfigError);
  expect(() => readFieldsFile(file)).toThrow(message);
});
