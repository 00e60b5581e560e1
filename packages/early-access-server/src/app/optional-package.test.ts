import { expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { loadOptional } from './optional-package.ts';

const HINT = 'npm install the-package';

it('returns what was loaded', async () => {
  expect(await loadOptional(async () => 1, HINT)).toBe(1);
});

it('names the package that is not installed', async () => {
  const name = 'not-installed';
  const failure = await loadOptional(() => import(/* @vite-ignore */ name), HINT).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConfigError);
  expect(String(failure)).toBe(`ConfigError: ${HINT}`);
});

it.each([new Error('broken'), Object.assign(new Error('denied'), { code: 'EACCES' }), 'text'])(
  'passes any other failure on: %s',
  async (failure) => {
    await expect(loadOptional(() => Promise.reject(failure), HINT)).rejects.toBe(failure);
  },
);
