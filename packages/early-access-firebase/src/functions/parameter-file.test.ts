import { ConfigError, SETTINGS } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { checkParameterFile, parameterFile, plainParameters } from './parameter-file.ts';

it.each([
  'BRAND_COLOR=#0a7d4f',
  'BRAND_NAME=Acme #1',
  'MAIL_ADDRESS=Acme#1',
  'PUBLIC_URL=https://www.example.com/#/x # note',
  'BRAND_NAME="Acme, Inc." and more',
])('names the line of %j, of which firebase deploy would drop a part', (line) => {
  const check = () => checkParameterFile('.env', `# Parameters\n${line}\r\n`);
  expect(check).toThrow(ConfigError);
  expect(check).toThrow(/^\.env, line 2: put the whole value of \w+ in single quotes: '…'$/);
});

it('names the line of an invalid value', () => {
  const check = () => checkParameterFile('.env', 'OTHER=true\nSHARE=true\n');
  expect(check).toThrow(new ConfigError('.env, line 2: SHARE must be on or off, not "true"'));
});

it.each([
  parameterFile(),
  'BRAND_COLOR=\'#0a7d4f\'\nBRAND_NAME="Acme #1" # note\nCONFIRM=on # note\nCONFIRM= # note',
  'PRIVATE_KEY="-----BEGIN\nEND-----"\nOTHER=#1\nanything',
])('accepts %j', (text) => {
  expect(() => checkParameterFile('.env', text)).not.toThrow();
});

it('only names parameters', () => {
  const names: readonly string[] = plainParameters().map(({ name }) => name);
  const named = parameterFile().match(/\b[A-Z]+(_[A-Z]+)*\b/g) ?? [];
  expect(named.filter((name) => name in SETTINGS && !names.includes(name))).toEqual([]);
});
