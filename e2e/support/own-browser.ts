import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A visitor's browser: no driver is attached, since Chromium prerenders nothing under one. */
export interface OwnBrowser {
  close(): Promise<void>;
}

export async function openOwnBrowser(url: string, userAgent: string): Promise<OwnBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'early-access-browser-'));
  const child = spawn(
    process.env.CHROME_PATH ?? 'chromium',
    [
      '--headless=new',
      '--no-first-run',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      // As Playwright does: root may not have it, nor many containers, and the pages are our own.
      '--no-sandbox',
      `--user-data-dir=${profile}`,
      `--user-agent=${userAgent}`,
      url,
    ],
    { stdio: 'ignore', detached: true },
  );
  await once(child, 'spawn');
  return {
    async close() {
      const exit = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
      // The whole group: on Debian the program is a script that starts the browser.
      if (child.pid !== undefined && exit) process.kill(-child.pid, 'SIGKILL');
      await exit;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
