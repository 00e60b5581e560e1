import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '@early-access-kit/testkit/built-server';
import { openDatabase } from '../support/database.ts';
import { expect, openLandingPage, signupForm, test } from '../support/test.ts';
import { endedVisit, startedVisit } from '../support/visit.ts';

const BUILT = fileURLToPath(new URL('../../site/dist', import.meta.url));

test.use({ expectedComplaints: [/Failed to load resource/] });

/** Renames every asset of the build, like the next release. */
function release(site: string): void {
  const assets = join(site, 'client', 'assets');
  rmSync(site, { recursive: true, force: true });
  cpSync(BUILT, site, { recursive: true });
  const names = readdirSync(assets);
  const hashes = [...new Set(names.map((name) => /-([\w-]{8})\.js/.exec(name)?.[1] ?? ''))].filter(Boolean);
  const renamed = (text: string) => hashes.reduce((all, hash) => all.replaceAll(hash, `N${hash.slice(1)}`), text);
  for (const file of readdirSync(join(site, 'client'), { recursive: true, encoding: 'utf8' })) {
    const path = join(site, 'client', file);
    // The server compresses files without a compressed copy itself.
    if (/\.(br|gz)$/.test(file)) rmSync(path);
    else if (/\.(js|html)$/.test(file)) writeFileSync(path, renamed(readFileSync(path, 'utf8')));
  }
  for (const name of readdirSync(assets)) renameSync(join(assets, name), join(assets, renamed(name)));
}

/** Starts a separate server whose site can be replaced while it runs. */
async function deployable() {
  const folder = mkdtempSync(join(tmpdir(), 'early-access-deploy-'));
  const site = join(folder, 'site');
  cpSync(BUILT, site, { recursive: true });
  const server = await startServer({
    DATA_DIR: join(folder, 'data'),
    SITE_DIR: join(site, 'client'),
    TRUST_PROXY: '1',
  });
  const database = openDatabase(join(folder, 'data', 'early-access.sqlite'));
  return {
    server,
    site,
    database,
    async close() {
      await database.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

for (const assets of ['deleted', 'still available'] as const) {
  test(`a page that was opened before a release still works after it, with its old assets ${assets}`, {
    tag: '@self-hosted',
  }, async ({ context, email }) => {
    const { server, site, database, close } = await deployable();
    const page = await context.newPage();
    await openLandingPage(page, server.origin);
    const id = await startedVisit(page, database);
    await server.stop();
    release(site);
    if (assets === 'still available')
      cpSync(join(BUILT, 'client', 'assets'), join(site, 'client', 'assets'), { recursive: true });
    await server.start();

    const other = await context.newPage();
    await openLandingPage(other, server.origin);
    await expect.poll(async () => (await database.session(id))?.page_count).toBe(2);

    await page.bringToFront();
    await page.keyboard.press('Control+Alt+KeyA');
    const dialog = page.getByRole('dialog', { name: 'Admin Access' });
    if (assets === 'still available') {
      await expect(dialog).toBeVisible();
      await page.keyboard.press('Escape');
    }
    const { input, button, success } = signupForm(page, 'hero');
    await input.fill(email);
    await button.click();
    await expect(success).toBeVisible();
    expect(await database.signup(email)).toMatchObject({ email, session_id: id });
    await expect(dialog).toBeHidden();
    await page.close({ runBeforeUnload: true });
    await endedVisit(id, database);

    await other.keyboard.press('Control+Alt+KeyA');
    await expect(other.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
    await close();
  });
}
