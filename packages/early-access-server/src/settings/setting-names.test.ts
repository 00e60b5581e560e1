import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fc } from '@early-access-kit/testkit/fast-check';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommand } from '../cli/command.ts';
import { readingEnvFile } from '../cli/env-file.ts';
import type { Environment } from './setting.ts';
import { SETTINGS } from './setting-list.ts';
import { hintsAboutNames } from './setting-names.ts';

describe('names of settings', () => {
  it('are the names in the list', () => {
    expect(Object.values(SETTINGS).map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
  });

  it.each([
    ['ADMIN_EMIAL', 'ADMIN_EMAIL'],
    ['ADMIN_MAIL', 'ADMIN_EMAIL'],
    ['ADMINEMAIL', 'ADMIN_EMAIL'],
    ['PUBLIC_URLS', 'PUBLIC_URL'],
    ['BRAND_COLOUR', 'BRAND_COLOR'],
  ])('get a hint if they are misspelt as %s anywhere', (name, meant) => {
    expect(hintsAboutNames({ [name]: 'x' }, [])).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
  });

  it.each([
    ['admin_email', 'ADMIN_EMAIL'],
    ['PROT', 'PORT'],
    ['HOTS', 'HOST'],
  ])('get a hint if they are misspelt as %s in .env, and not in the environment', (name, meant) => {
    expect(hintsAboutNames({ [name]: 'x' }, [name])).toEqual([`${name} is not a setting; did you mean ${meant}?`]);
    expect(hintsAboutNames({ [name]: 'x' }, [])).toEqual([]);
  });

  it('of other programs get no hint in the environment, and are named if they are in .env', () => {
    const names = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'USER',
      'MAIL',
      'XDG_DATA_DIRS',
      'DATABASE_ID',
      'FUNCTIONS_REGION',
      'TZ',
    ];
    const env = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(hintsAboutNames(env, [])).toEqual([]);
    expect(hintsAboutNames(env, ['TZ', 'DATABASE_ID'])).toEqual([
      'Unknown settings, which this server ignores: DATABASE_ID, TZ (docs/settings.md)',
    ]);
    expect(hintsAboutNames({ ADMIN_EMIAL: '', ADMIN_EMAIL: 'x' }, ['ADMIN_EMIAL'])).toEqual([]);
  });

  it('that are no settings are named if they are in .env', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/), (name) => {
        fc.pre(!Object.hasOwn(SETTINGS, name));
        expect(hintsAboutNames({ [name]: 'x' }, [name]).join()).toContain(name);
      }),
    );
  });
});

it('commands log hints about .env', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, '.env'), 'BRAND_COLOR="#112233"\nPROT=1\nDOUBLE_OPT_IN=on\n');
  vi.spyOn(process, 'cwd').mockReturnValue(folder);
  onTestFinished(() => void vi.restoreAllMocks());
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  let given: Environment = {};
  const commands = readingEnvFile({
    show: async ({ env }) => {
      given = env;
      return 0;
    },
  });
  expect(await runCommand(commands, ['show'], { env: { PORT: '2' }, stdout, stderr }, 'early-access-server')).toBe(0);
  const logged = String(stderr.read());
  expect(given).toMatchObject({ BRAND_COLOR: '#112233', PORT: '2' });
  expect(logged).toContain('Unknown settings, which this server ignores: DOUBLE_OPT_IN');
  expect(logged).toContain('PROT is not a setting; did you mean PORT?');
});
