/**
 * Runs Lighthouse for phone and desktop on the landing page of the real server and on the documentation's home page.
 * With the argument `docs`, on every page of the documentation instead. Each category must score 100.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { findChromium } from '@early-access-kit/testkit/programs';
import { serveFolder } from '@early-access-kit/testkit/static-folder';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { chromium } from 'playwright';
import { ROOT } from '../run.ts';

/** Excludes performance, because it depends on the machine. See `npm run bench`. */
const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
/** Maximum length of a finding's details, enough to locate the element. */
const LONGEST_DETAIL = 1_000;
const DOCS = path.join(ROOT, 'docs-site/dist');
const EVERY_PAGE = process.argv.includes('docs');

const folder = mkdtempSync(path.join(tmpdir(), 'early-access-lighthouse-'));
const server = EVERY_PAGE ? undefined : await startServer({ DATA_DIR: path.join(folder, 'data') });
const docs = await serveFolder(DOCS, () => "default-src 'self' 'unsafe-inline' data:");
const profile = path.join(folder, 'profile');
const { executablePath, env } = await findChromium();
const browser = await chromium.launchPersistentContext(profile, {
  executablePath,
  env: { ...process.env, ...env },
  // A debugging port for Lighthouse, besides Playwright's connection.
  args: ['--no-sandbox', '--remote-debugging-port=0'],
});
const port = Number(readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0]);
try {
  for (const url of [...(server ? [server.origin] : []), ...pagesOfDocs()]) {
    for (const device of ['phone', 'desktop']) await measure(url, device);
  }
} finally {
  await browser.close();
  await server?.stop();
  await docs.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function pagesOfDocs(): string[] {
  if (!EVERY_PAGE) return [`${docs.origin}/`];
  const names = globSync('**/*.html', { cwd: DOCS, exclude: ['storybook', '404.html'] }).sort();
  return names.map((name) => `${docs.origin}/${name}`);
}

async function measure(url: string, device: string): Promise<void> {
  const flags = { port, onlyCategories: CATEGORIES, logLevel: 'error' } as const;
  const answer = await lighthouse(url, flags, device === 'desktop' ? desktopConfig : undefined);
  if (answer === undefined) throw new Error('Lighthouse gave no result');
  report(`${new URL(url).pathname} on a ${device}`, answer.lhr);
}

function report(what: string, { categories, audits, runtimeError }: Result): void {
  if (runtimeError) throw new Error(runtimeError.message);
  for (const name of CATEGORIES) {
    const category = categories[name];
    const score = Math.round((category?.score ?? 0) * 100);
    console.log(`${what}: ${name} ${score}`);
    if (score === 100) continue;
    process.exitCode = 1;
    for (const { id, weight } of category?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight === 0 || audit?.score === null || audit?.score === 1) continue;
      console.error(`  ${audit?.title}: ${JSON.stringify(audit?.details ?? null).slice(0, LONGEST_DETAIL)}`);
    }
  }
}
