/** Takes the README's screenshots of the landing page and of the admin overlay on it: `npm run screenshots`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { findChromium } from '@early-access-kit/testkit/programs';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { chromium } from 'playwright';
import { smallPng } from '../../e2e/visual/support/small-png.ts';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const FOLDER = path.join(ROOT, 'docs/images');
const ADMIN_EMAIL = 'admin@example.com';
const VISITORS = 48;
const SIGNUPS = 17;

await buildOrExit(SELF_HOSTED);
const { executablePath, env } = await findChromium();
const data = mkdtempSync(path.join(tmpdir(), 'early-access-screenshots-'));
const server = await startServer({ DATA_DIR: data, ADMIN_EMAIL });
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
try {
  for (let visitor = 0; visitor < VISITORS; visitor += 1) await visit(visitor);
  mkdirSync(FOLDER, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const save = async (name: string) => writeFileSync(path.join(FOLDER, name), smallPng(await page.screenshot()));
  await page.goto(server.origin);
  await page.evaluate(() => document.fonts.ready);
  await save('landing-page.png');

  await page.keyboard.press('Control+Alt+KeyA');
  const dialog = page.getByRole('dialog', { name: 'Admin Access' });
  await dialog.getByLabel('Admin email').fill(ADMIN_EMAIL);
  await dialog.getByRole('button', { name: 'Access Analytics' }).click();
  await page.getByRole('dialog', { name: 'Analytics Overview' }).getByText(String(VISITORS)).first().waitFor();
  await save('admin-overlay.png');
} finally {
  await browser.close();
  await server.stop();
  rmSync(data, { recursive: true, force: true });
}

/** Stores sessions of some length. Some of the visitors sign up. */
async function visit(visitor: number): Promise<void> {
  const session = sessionOf({ session_start: Date.now() - 3_600_000 });
  await post(
    `sessions/${session.id}`,
    updateOf(session, {
      session_end: Date.now(),
      page_count: visitor % 3 === 0 ? 1 : 2,
      total_duration: 20 + visitor * 3,
      max_scroll_depth: 80,
      click_count: 2,
    }),
  );
  if (visitor < SIGNUPS) await post('signups', signupOf());
}

async function post(route: string, body: unknown): Promise<void> {
  const response = await fetch(`${server.origin}/api/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route}: ${response.status} ${await response.text()}`);
}
