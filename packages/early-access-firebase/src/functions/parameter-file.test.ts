import { ConfigError } from 'early-access-server/app';
import { expect, it } from 'vitest';
import { checkParameterFile, parameterFile } from './parameter-file.ts';

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

it.each([
  parameterFile(),
  'BRAND_COLOR=\'#0a7d4f\'\nBRAND_NAME="Acme #1" # note\nCONFIRM=true # note\nCONFIRM= # note',
  'PRIVATE_KEY="-----BEGIN\nEND-----"\nOTHER=#1\nanything',
])('accepts %j', (text) => {
  expect(() => checkParameterFile('.env', text)).not.toThrow();
});
