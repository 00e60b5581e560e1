/** Checks the package as it would be published: the packed tarball, not the folder. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run, runOrExit } from '../run.ts';

const PACKAGE = 'packages/early-access-kit';

const folder = mkdtempSync(path.join(tmpdir(), 'early-access-kit-'));
try {
  await runOrExit('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE });
  const tarball = path.join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) ?? '');
  await check('publint', ['--strict', tarball]);
  await check('attw', [
    tarball,
    '--profile',
    'node16',
    '--exclude-entrypoints',
    'styles.css',
    '--no-emoji',
    '--no-color',
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function check(tool: string, args: readonly string[]): Promise<void> {
  const { code, output } = await run('pnpm', ['exec', tool, ...args], { cwd: PACKAGE });
  if (code === 0) return;
  console.error(output);
  process.exitCode = 1;
}
