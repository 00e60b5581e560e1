/** Runs Lighthouse on the landing page of the real server, as phone and desktop. Each category must score 100. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { findChromium } from '@early-access-kit/testkit/programs';
import lighthouse, { desktopConfig, type Result } from 'lighthouse';
import { chromium } from 'playwright';

/** Without performance, because it depends on the machine. See `npm run bench`. */
const CATEGORIES = ['accessibility', 'best-practices', 'seo'];
/** Maximum length of a finding's details, enough to locate the element. */
const LONGEST_DETAIL = 1_000;

const folder = mkdtempSync(path.join(tmpdir(), 'early-access-lighthouse-'));
const server = await startServer({ DATA_DIR: path.join(folder, 'data') });
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
  for (const device of ['phone', 'desktop']) {
    const flags = { port, onlyCategories: CATEGORIES, logLevel: 'error' } as const;
    const answer = await lighthouse(server.origin, flags, device === 'desktop' ? desktopConfig : undefined);
    if (answer === undefined) throw new Error('Lighthouse gave no result');
    report(device, answer.lhr);
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function report(device: string, { categories, audits, runtimeError }: Result): void {
  if (runtimeError) throw new Error(runtimeError.message);
  for (const name of CATEGORIES) {
    const category = categories[name];
    const score = Math.round((category?.score ?? 0) * 100);
    console.log(`${name} on a ${device}: ${score}`);
    if (score === 100) continue;
    process.exitCode = 1;
    for (const { id, weight } of category?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight === 0 || audit?.score === null || audit?.score === 1) continue;
      console.error(`  ${audit?.title}: ${JSON.stringify(audit?.details ?? null).slice(0, LONGEST_DETAIL)}`);
    }
  }
}
