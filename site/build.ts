import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { precompress } from '@early-access-kit/testkit/precompress';
import { build } from 'vite';
import { compileLoader, deferScript } from './build/defer-script.ts';
import { readPublicUrl } from './build/head.ts';
import { createFirebaseConfig, type FirebaseJson } from './build/hosting.ts';
import { createPolicy } from './build/html.ts';
import { inlineStylesheets, removeFiles } from './build/inline-css.ts';
import { keepAssets, takeAssets } from './build/kept-assets.ts';
import { assemblePage } from './build/pages.ts';
import { outputFolder, readStorage } from './build/storage.ts';

/**
 * Writes `dist/client`, ready for any static host, and `dist/policy.json`, the hashes for its Content-Security-Policy.
 * With STORAGE=firestore it writes to a different folder and adds the `firebase.json` to deploy with.
 */
const root = import.meta.dirname;
const storage = readStorage(process.env);
const dist = path.join(root, outputFolder(storage));
const client = path.join(dist, 'client');
const server = path.join(dist, 'server');
const publicUrl = readPublicUrl(process.env.PUBLIC_URL);

const before = takeAssets(dist);
rmSync(dist, { recursive: true, force: true });
await build({ root, logLevel: 'warn', build: { outDir: client } });
await build({ root, logLevel: 'warn', build: { outDir: server, ssr: 'src/entry-server.tsx', copyPublicDir: false } });

const { PAGES, renderPage }: typeof import('./src/entry-server.tsx') = await import(
  pathToFileURL(path.join(server, 'entry-server.js')).href
);
const template = inlineStylesheets(readFileSync(path.join(client, 'index.html'), 'utf8'), client);
const loader = await compileLoader(root);
const pages = await Promise.all(
  PAGES.map(async (page) => ({
    file: page.file,
    html: deferScript(assemblePage(template.html, page, await renderPage(page), publicUrl), loader),
  })),
);
for (const { file, html } of pages) writeFileSync(path.join(client, file), html);
const policy = createPolicy(pages.map(({ html }) => html));
writeFileSync(path.join(dist, 'policy.json'), `${JSON.stringify(policy)}\n`);
if (storage.kind === 'firestore') {
  const repository = path.dirname(root);
  // Hosting serves the admin's dashboard, too.
  cpSync(path.join(repository, 'packages/dashboard/dist'), path.join(client, 'admin'), {
    recursive: true,
    filter: (file) => path.basename(file) !== '.vite',
  });
  const template: FirebaseJson = JSON.parse(readFileSync(path.join(repository, 'firebase.json'), 'utf8'));
  const config = createFirebaseConfig(template, path.relative(repository, client), policy, storage);
  writeFileSync(path.join(dist, 'firebase.json'), `${JSON.stringify(config, null, 2)}\n`);
}

removeFiles(template.files);
rmSync(server, { recursive: true });
precompress(client);
keepAssets(dist, before);
