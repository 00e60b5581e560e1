/**
 * Stores the built packages, and data that they write, as a release to test later ones with. Run by
 * `npm run release -- --keep`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { KIT, packPackage, SERVER } from '@early-access-kit/testkit/packages';
import { findChromiums } from '@early-access-kit/testkit/programs';
import { locateRelease, unpackRelease } from '@early-access-kit/testkit/releases';
import { chromium, devices, type Page } from '@playwright/test';
import { ADMIN_EMAIL, startSelfHosted } from '../../support/backend.ts';
import { type KeptData, writeSite } from './kept-release.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const DATABASE_WRITER = path.join(ROOT, SERVER, 'src/fixtures/write-database.ts');

const { version }: { version: string } = JSON.parse(readFileSync(path.join(ROOT, KIT, 'package.json'), 'utf8'));
const folder = locateRelease(version);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const source of [KIT, SERVER]) {
  renameSync(await packPackage(source, folder), path.join(folder, `${path.basename(source)}.tgz`));
}
const { program } = unpackRelease(version);

const data = mkdtempSync(path.join(tmpdir(), 'early-access-keep-'));
try {
  const secrets = JSON.parse(execFileSync(process.execPath, [DATABASE_WRITER, data], { encoding: 'utf8' }));
  const people = execFileSync(process.execPath, [program, 'export'], { env: { DATA_DIR: data }, encoding: 'utf8' });
  writeFileSync(path.join(folder, 'people.csv'), people);
  writeFileSync(
    path.join(folder, 'database.sqlite.gz'),
    gzipSync(readFileSync(path.join(data, 'early-access.sqlite'))),
  );
  const kept: KeptData = { keptAt: Date.now(), ...secrets, ...(await browse()) };
  writeFileSync(path.join(folder, 'data.json'), `${JSON.stringify(kept, null, 2)}\n`);
  process.stdout.write(`Kept ${version} in ${path.relative(ROOT, folder)}\n`);
} finally {
  rmSync(data, { recursive: true, force: true });
}

/** Returns the data that the browsers of a visitor and an admin store. */
async function browse(): Promise<Pick<KeptData, 'visitor' | 'admin'>> {
  const backend = await startSelfHosted({ SITE_DIR: await writeSite(data) }, { program });
  const { executablePath, env } = (await findChromiums()).shell;
  const args = ['--disable-blink-features=AutomationControlled'];
  const browser = await chromium.launch({ executablePath, env: { ...process.env, ...env }, args });
  try {
    // The tracker ignores browsers that identify as automated.
    const options = { ...devices['Desktop Chrome'], baseURL: backend.server.origin };
    const visitor = await browser.newPage(options);
    await visitor.goto('/');
    await visitor.waitForFunction(() => localStorage.getItem('current_session'));
    const admin = await browser.newPage(options);
    await admin.goto('/');
    await admin.locator('form[novalidate]').waitFor();
    await admin.keyboard.press('Control+Alt+KeyA');
    await admin.getByLabel('Admin email').fill(ADMIN_EMAIL);
    await admin.keyboard.press('Enter');
    await admin.waitForFunction(() => localStorage.getItem('adminEmail'));
    return { visitor: await readStorage(visitor), admin: await readStorage(admin) };
  } finally {
    await browser.close();
    await backend.close();
  }
}

function readStorage(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({ ...localStorage }));
}
