/**
 * Takes the screenshots of the documents: landing page, welcome email and dashboard, with a month of generated
 * sessions. `npm run task -- screenshots`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer } from '@early-access-kit/testkit/built-server';
import { findChromium } from '@early-access-kit/testkit/programs';
import { sessionOf, signupOf, updateOf } from '@early-access-kit/testkit/records';
import { SITE_BRAND } from '@early-access-kit/testkit/site-settings';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { chromium } from '@playwright/test';
import { sqliteStore } from 'early-access-server/sqlite';
import { signIn } from './support/sign-in.ts';
import { smallPng } from './visual/support/small-png.ts';

const FOLDER = path.resolve(import.meta.dirname, '../docs/images');
const ADMIN_EMAIL = 'admin@example.com';
const NAMES = ['ada', 'grace', 'linus', 'margaret', 'tim', 'radia'];
const DAYS = 60;
const DAY_MS = 86_400_000;
const ORIGINS = [
  { referrer: 'https://www.etsy.com/forum', device_type: 'desktop', browser: 'Chrome', os: 'Windows' },
  { referrer: 'https://www.reddit.com/r/printondemand', device_type: 'mobile', browser: 'Safari', os: 'iOS' },
  { referrer: null, device_type: 'desktop', browser: 'Firefox', os: 'Linux' },
  { referrer: 'https://www.google.com/', device_type: 'desktop', browser: 'Safari', os: 'macOS' },
  {
    referrer: null,
    device_type: 'mobile',
    browser: 'Chrome',
    os: 'Android',
    utm_source: 'newsletter',
    utm_campaign: 'launch',
  },
] as const;

const { executablePath, env } = await findChromium();
const data = mkdtempSync(path.join(tmpdir(), 'early-access-screenshots-'));
const newest = await storeVisits(path.join(data, 'early-access.sqlite'));
const mailbox = await startMailServer();
const mail = {
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'hello@example.com',
  PUBLIC_URL: 'http://localhost',
  MAILS_PER_HOUR: '100000',
};
const invites = { INVITE_URL: 'https://app.printmargin.example/join', INVITE_KEY: 'k'.repeat(32) };
const server = await startServer({ ...SITE_BRAND, ...mail, ...invites, DATA_DIR: data, ADMIN_EMAIL });
const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args: ['--no-sandbox'] });
try {
  mkdirSync(FOLDER, { recursive: true });
  // Twice the resolution, so that the pictures are sharp on any screen.
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
  const save = async (name: string) => {
    const picture = await page.screenshot();
    // A palette has too few colors for the gradient of the chart.
    writeFileSync(path.join(FOLDER, name), name === 'dashboard-overview.png' ? picture : smallPng(picture));
  };
  await page.goto(server.origin);
  await page.evaluate(() => document.fonts.ready);
  await save('landing-page.png');

  const { html } = await mailbox.waitForMail(newest);
  // The page's policy would block the styles of the email.
  await page.goto('about:blank');
  await page.setContent(html ?? '');
  await save('email.png');

  await signIn(page, server.origin, mailbox, ADMIN_EMAIL);
  for (const name of ['Overview', 'People', 'Invites', 'Mail', 'Health', 'Settings']) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' });
    if (name === 'Overview') await page.locator('canvas').nth(1).waitFor();
    await save(`dashboard-${name.toLowerCase()}.png`);
  }
} finally {
  await browser.close();
  await server.stop();
  await mailbox.close();
  rmSync(data, { recursive: true, force: true });
}

/**
 * Stores an increasing number of sessions and signups of the last two months. Returns the address of the newest signup.
 */
async function storeVisits(file: string): Promise<string> {
  let newest = '';
  const clock = { now: Date.now() - DAYS * DAY_MS };
  const store = sqliteStore({ file, clock: () => clock.now });
  for (let visit = 0; clock.now < Date.now(); visit += 1) {
    const origin = ORIGINS[(visit * visit) % ORIGINS.length] ?? ORIGINS[0];
    const session = sessionOf({ session_start: clock.now, ...origin });
    const engaged = visit % 3 > 0;
    await store.updateSession(
      session.id,
      updateOf(session, {
        session_end: clock.now + 1,
        page_count: engaged ? 2 : 1,
        total_duration: engaged ? 40 + (visit % 20) : 6,
        max_scroll_depth: engaged ? 90 : 20,
        click_count: engaged ? 3 : 0,
      }),
    );
    if (visit % 13 === 1) {
      const { referrer } = session;
      newest = `${NAMES[visit % NAMES.length]}.${visit}@example.org`;
      await store.createSignup(signupOf({ email: newest, session_id: session.id, referrer }));
    }
    clock.now += Math.round(DAY_MS / (4 + visit / 24) / (1 + Math.sin(visit) ** 2));
  }
  store.close();
  return newest;
}
