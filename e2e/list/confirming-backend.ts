import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { type Backend, STORAGE, startSelfHosted } from '../support/backend.ts';
import { startOnFirestore } from '../support/firestore-backend.ts';

export const INVITE_KEY = '0123456789abcdef0123456789abcdef';
const INVITE_URL = 'https://product.example/join';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Confirm</title><link rel="icon" href="data:,">
<div id="page"></div><script type="module" src="/page.js"></script></html>`;

/** A backend that has addresses confirmed and invites people. */
export function startConfirming(): Promise<Backend> {
  return STORAGE === 'firestore'
    ? startOnFirestore({ CONFIRM: 'true', INVITE_URL }, { secrets: { INVITE_KEY } })
    : startConfirmingServer();
}

/** Starts a server with a page whose form asks to check the inbox. */
async function startConfirmingServer(): Promise<Backend> {
  const site = await mkdtemp(path.join(tmpdir(), 'early-access-site-'));
  await writeFile(path.join(site, 'index.html'), PAGE);
  await build({
    entryPoints: [path.join(import.meta.dirname, 'page.tsx')],
    outfile: path.join(site, 'page.js'),
    bundle: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const backend = await startSelfHosted({ SITE_DIR: site, CONFIRM: 'on', INVITE_URL, INVITE_KEY });
  return {
    ...backend,
    async close() {
      await backend.close();
      await rm(site, { recursive: true });
    },
  };
}
