import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** As if `pg` were not installed. */
const WITHOUT_DRIVER = `
import { registerHooks } from 'node:module';
registerHooks({
  resolve(name, context, next) {
    return next(name === 'pg' ? 'pg-that-is-not-installed' : name, context);
  },
});
`;

it('says what to install if the driver is missing', async () => {
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(WITHOUT_DRIVER)}`,
    '--input-type=module',
    '--eval',
  ];
  const entry = new URL('../../postgres.ts', import.meta.url);
  const use = `const { postgresStore } = await import(${JSON.stringify(entry.href)});
    await postgresStore({ url: 'postgres://127.0.0.1:1/none' }).ping();`;
  const run = promisify(execFile)(process.execPath, [...args, use]);
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringContaining('ConfigError: Postgres needs the driver pg: npm install pg'),
  });
});
