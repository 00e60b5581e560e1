import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildPart, type PartName } from '../build.ts';
import { findChromium } from '../chromium.ts';
import { ROOT, type RunResult, run } from '../run.ts';
import type { Check, Counts } from './checks.ts';

/** Every check of `npm test`, the long ones first among those that can start at the same time. */
export async function allChecks(reports: string): Promise<Check[]> {
  const chromium = await findChromium();
  const inBrowser = { ...chromium.env, CHROME_PATH: chromium.executablePath, CHROMIUM_KIND: chromium.kind };
  const types = globSync(
    ['tsconfig.json', '*/tsconfig.json', '{packages,tools}/*/tsconfig.json', '.storybook/tsconfig.json'],
    {
      cwd: ROOT,
    },
  );
  return [
    build('kit'),
    command('lint', 'biome', ['ci', '--colors=off', '--max-diagnostics=50', '.']),
    { ...build('site'), needs: ['build kit'] },
    { ...build('site-emulator'), needs: ['build kit'] },
    { ...build('server'), needs: ['build kit'] },
    { ...build('functions'), needs: ['build kit'] },
    {
      ...command('imports', 'depcruise', [
        '--config',
        '.dependency-cruiser.mjs',
        'packages',
        'tools',
        'site',
        'e2e',
        'bench',
        'faults',
        '.storybook',
      ]),
      needs: ['build kit'],
    },
    ...types.map((file) => ({
      ...command(`types ${path.dirname(file)}`, 'tsc', ['--noEmit', '--pretty', 'false', '--project', file]),
      needs: ['build kit'],
    })),
    { ...command('unused', 'knip', ['--no-progress']), needs: ['build kit'] },
    { ...command('storybook build', 'node', ['scripts/tasks/build-storybook.ts']), needs: ['build kit'] },
    { ...command('snippets', 'node', ['scripts/test/snippets.ts']), needs: ['build kit'] },
    { ...command('documents', 'node', ['scripts/test/documents.ts']), needs: ['build kit'] },
    { ...command('package', 'node', ['scripts/test/package.ts']), needs: ['build kit'] },
    { ...command('sizes', 'pnpm', ['exec', 'size-limit'], 'packages/early-access-kit'), needs: ['build kit'] },
    {
      ...vitest('unit', [], reports, inBrowser),
      needs: ['build kit', 'build site', 'build site-emulator', 'build server', 'build functions'],
      exclusive: true,
    },
    {
      ...vitest('unit in a browser', ['--project', 'browser'], reports, inBrowser),
      needs: ['build kit'],
      exclusive: true,
    },
    { ...vitest('stories', ['--project', 'stories*'], reports, inBrowser), needs: ['build kit'], exclusive: true },
    { ...playwright('e2e', reports, inBrowser), needs: ['build site', 'build server'], exclusive: true },
    {
      ...playwright('e2e firestore', reports, { ...inBrowser, STORAGE: 'firestore' }),
      needs: ['build site-emulator'],
      exclusive: true,
    },
    {
      ...playwright('storybook', reports, inBrowser, ['--config', 'storybook.config.ts']),
      needs: ['storybook build'],
      exclusive: true,
    },
    {
      ...playwright('consumers', reports, inBrowser, ['--config', 'consumers/playwright.config.ts', '--grep', '@fast']),
      needs: ['build kit', 'build server'],
      exclusive: true,
    },
    {
      ...playwright('visual', reports, inBrowser, ['--config', 'visual/playwright.config.ts']),
      needs: ['build site', 'storybook build'],
      exclusive: true,
    },
    {
      ...command('lighthouse', 'node', ['scripts/test/lighthouse.ts'], '.', inBrowser),
      needs: ['build site', 'build server'],
      exclusive: true,
    },
  ];
}

function command(
  name: string,
  program: string,
  args: readonly string[],
  cwd = '.',
  env: NodeJS.ProcessEnv = {},
): Check {
  return { name, run: () => run(program, args, { cwd, env }) };
}

function build(part: PartName): Check {
  return { name: `build ${part}`, run: () => buildPart(part) };
}

function vitest(name: string, projects: readonly string[], reports: string, env: NodeJS.ProcessEnv = {}): Check {
  const report = path.join(reports, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  return {
    name,
    run: (): Promise<RunResult> =>
      run('vitest', ['run', ...projects, ...reporters], { env: { ...env, NO_COLOR: '1' } }),
    count: () => countsOf(report, vitestCounts),
  };
}

function playwright(name: string, reports: string, env: NodeJS.ProcessEnv, args: readonly string[] = []): Check {
  const report = path.join(reports, `${name}.json`);
  return {
    name,
    run: () =>
      run('playwright', ['test', '--reporter=line,json', ...args], {
        cwd: 'e2e',
        env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report, NO_COLOR: '1' },
      }),
    count: () => countsOf(report, playwrightCounts),
  };
}

/** Undefined where the suite broke down before it wrote its report. */
function countsOf(report: string, read: (json: string) => Counts): Counts | undefined {
  return existsSync(report) ? read(readFileSync(report, 'utf8')) : undefined;
}

function vitestCounts(json: string): Counts {
  const report: { numPassedTests: number; numFailedTests: number; numPendingTests: number } = JSON.parse(json);
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}

function playwrightCounts(json: string): Counts {
  const { stats }: { stats: { expected: number; unexpected: number; flaky: number; skipped: number } } =
    JSON.parse(json);
  // A test that needed a second try has failed: it will need one again.
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}
