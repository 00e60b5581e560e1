import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BUILT_SERVER } from '@early-access-kit/testkit/built-server';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { listReleases, unpackRelease } from '@early-access-kit/testkit/releases';
import { tempRoot } from '@early-access-kit/testkit/temp-root';
import type { Page } from '@playwright/test';
import { expect, test } from '../embed/support/test.ts';
import { ALL, expectWholeVisit } from '../embed/support/whole-visit.ts';
import { type Backend, startSelfHosted, whileOpen } from '../support/backend.ts';
import { startGatekeeper } from '../support/gatekeeper.ts';
import { readStored } from '../support/visit.ts';
import { type KeptData, writeSite } from './support/kept-release.ts';

const THIS_SCRIPTS = path.resolve(import.meta.dirname, '../../packages/early-access-kit/dist/script');
const SCRIPTS = 'early-access-kit/dist/script';
const MINUTE_MS = 60_000;
/** Required to send the invitations in the database. */
const INVITES = { INVITE_URL: 'https://studio.example/join', INVITE_KEY: 'a'.repeat(32) };

for (const version of listReleases()) {
  test.describe(`with the release ${version}`, () => {
    const release = unpackRelease(version);
    let folder: string;
    let kept: KeptData;

    test.beforeEach(async () => {
      folder = await mkdtemp(path.join(tempRoot(), 'early-access-release-'));
      kept = JSON.parse(await readFile(path.join(release.folder, 'data.json'), 'utf8'));
      await mkdir(path.join(folder, 'data'));
      const database = gunzipSync(await readFile(path.join(release.folder, 'database.sqlite.gz')));
      await writeFile(path.join(folder, 'data/early-access.sqlite'), database);
    });

    test.afterEach(() => rm(folder, { recursive: true }));

    for (const { name, scripts, program } of [
      { name: `its embed script, named with its hash, works with this server`, scripts: release.modules },
      { name: 'this embed script works with its server', scripts: null, program: release.program },
    ]) {
      test(name, async ({ page, site, email }) => {
        const main = await readMain(scripts === null ? THIS_SCRIPTS : path.join(scripts, SCRIPTS));
        // As documented, scripts that pages reference are copied before an upgrade.
        const EMBED_DIR = path.join(folder, 'scripts');
        await cp(THIS_SCRIPTS, EMBED_DIR, { recursive: true });
        if (scripts !== null) {
          const filter = (file: string) => !file.endsWith('embed.json');
          await cp(path.join(scripts, SCRIPTS), EMBED_DIR, { recursive: true, filter });
        }
        await whileOpen(startSelfHosted({ ALLOWED_ORIGINS: site.origin, EMBED_DIR }, { program }), async (backend) => {
          const gate = await startGatekeeper(backend.server.origin);
          const tag = `<script src="${gate.origin}/${main.file}" integrity="${main.integrity}" crossorigin defer></script>`;
          const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title>${tag}</head><body>${ALL}</body></html>`;
          const url = site.put(html, `default-src 'self' ${gate.origin}`);
          await expectWholeVisit({ page, url, email, gate, database: backend.database });
          // Its requests would fail after the server has stopped.
          await page.close();
          await gate.close();
        });
      });
    }

    test('this server opens its database: the export is identical, its API key and its links work', async () => {
      const DATA_DIR = path.join(folder, 'data');
      const { stdout } = await startProcess([process.execPath, BUILT_SERVER, 'export'], { env: { DATA_DIR } }).finished;
      const lines = stdout.trim().split(/\r?\n/);
      // A newer release adds its columns at the end.
      const before = (await readFile(path.join(release.folder, 'people.csv'), 'utf8')).trim().split(/\r?\n/);
      expect(lines.map((line, index) => line.slice(0, before[index]?.length))).toEqual(before);
      await whileOpen(startLater({ DATA_DIR, ...INVITES }), async ({ server, database, mailbox }) => {
        const { people } = await (
          await fetch(`${server.origin}/api/admin/people`, { headers: { authorization: `Bearer ${kept.apiKey}` } })
        ).json();
        expect(people).toHaveLength(lines.length - 1);
        const url = `${server.origin}/unsubscribe?token=${kept.unsubscribe}`;
        const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
        expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
        const unsubscribed = await database.value(
          'SELECT state FROM email_signups WHERE email = ?',
          'person-10@example.org',
        );
        expect(unsubscribed).toBe('unsubscribed');
        // This server sends messages that the old release has queued.
        await mailbox.waitForMail('pending@example.org');
        await mailbox.waitForMail('person-1@example.org');
      });
    });

    test('this server imports its export', async () => {
      const DATA_DIR = path.join(folder, 'imported');
      const csv = path.join(release.folder, 'people.csv');
      const people = (await readFile(csv, 'utf8')).trim().split('\n').length - 1;
      await whileOpen(startSelfHosted({ DATA_DIR }), async () => {
        const command = [process.execPath, BUILT_SERVER, 'import', csv];
        const { stdout, stderr } = await startProcess(command, { env: { DATA_DIR } }).finished;
        expect(stdout + stderr).toMatch(new RegExp(`Added ${people}\\.[^\\n]*Lines with a problem: 0\\.`));
      });
    });

    test('a session that its tracker started continues', async ({ page }) => {
      await whileOpen(startLater(), async ({ server, database }) => {
        await openStored(page, server.origin, kept.visitor);
        const { sessionId, startTime } = JSON.parse(kept.visitor.current_session ?? '{}');
        await expect.poll(async () => (await database.session(sessionId))?.page_count).toBe(2);
        expect(await readStored(page, 'current_session')).toMatchObject({ sessionId, startTime });
        const { visitorId } = JSON.parse(kept.visitor.visitor_data ?? '{}');
        expect(await database.session(sessionId)).toMatchObject({ visitor_id: visitorId });
        await page.close();
      });
    });

    test('an overlay that it unlocked is still unlocked, and its visits are not counted', async ({ page }) => {
      await whileOpen(startLater(), async ({ server, database }) => {
        await openStored(page, server.origin, kept.admin);
        await expect(page.getByRole('region', { name: 'Analytics Overview' })).toContainText('Email Signups 0');
        expect(await database.value('SELECT count(*) FROM sessions')).toBe(0);
        await page.close();
      });
    });

    /** Starts this server a minute after the data was written, so that none of it has expired. */
    async function startLater(env: Readonly<Record<string, string>> = {}): Promise<Backend> {
      const ahead = `Date.now = ((now, ahead) => () => now() + ahead)(Date.now, ${kept.keptAt + MINUTE_MS} - Date.now());`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ahead)}`;
      return startSelfHosted({ SITE_DIR: await writeSite(folder), NODE_OPTIONS, ...env });
    }

    /** Opens a page with this local storage, a minute after it was stored. */
    async function openStored(page: Page, origin: string, stored: Readonly<Record<string, string>>): Promise<void> {
      await page.clock.install({ time: kept.keptAt + MINUTE_MS });
      await page.addInitScript((items) => Object.assign(localStorage, items), stored);
      await page.goto(origin);
    }
  });
}

async function readMain(scripts: string): Promise<{ file: string; integrity: string }> {
  return JSON.parse(await readFile(path.join(scripts, 'embed.json'), 'utf8')).main;
}
