import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { runCommand } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { RULES_FILE } from '../package-files.ts';
import { printRules } from './rules-command.ts';

async function run(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await runCommand(
    { rules: printRules },
    ['rules', ...args],
    { env: {}, stdout, stderr },
    'early-access-firebase',
  );
  stdout.end();
  stderr.end();
  return { code, out: await text(stdout), err: await text(stderr) };
}

function writeDeclaration(declaration: object): string {
  const file = path.join(tempFolder(), 'fields.json');
  writeFileSync(file, JSON.stringify(declaration));
  return file;
}

it('prints the rules of a site without fields and direct signups', async () => {
  expect(await run()).toEqual({ code: 0, err: '', out: readFileSync(RULES_FILE, 'utf8') });
});

it('prints rules with the fields of a file, direct signups, and a different retention', async () => {
  const file = writeDeclaration({ company: { type: 'text', label: 'Company', required: true, maxLength: 80 } });
  const { code, out } = await run('--fields', file, '--direct-signups', '--retention-days', '90');
  expect(code).toBe(0);
  expect(out).toContain("isOwnText(values['company'], 80)");
  expect(out).toMatch(/function signupsAreDirect\(\) \{\s+return true;/);
  expect(out).toMatch(/function retentionDays\(\) \{\s+return 90;/);
});

it.each(['0', '3651', '1.5', 'x'])('rejects storing sessions for %s days', async (days) => {
  expect(await run('--retention-days', days)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('1 to 3650'),
  });
});

it.each([[['--field', 'x.json']], [['fields.json']], [['--fields']]])(
  'prints its usage if called with %j',
  async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('usage: rules') });
  },
);

it('names the field of an invalid declaration, and prints no rules', async () => {
  const file = writeDeclaration({ company: { type: 'text', label: '' } });
  const { code, out, err } = await run('--fields', file);
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(/^early-access-firebase: SIGNUP_FIELDS: .*fields\.json: fields\.company: label must be/);
});
