import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';

const RULES = `rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents/sessions/{id} {
    allow get: if true;
    allow create: if request.resource.data.at == request.time;
    allow update: if request.resource.data.pages > resource.data.pages;
  }
}`;

let fake: FirestoreFake;
let site: Server;
let browser: Browser;

beforeAll(async () => {
  fake = await startFirestoreFake({ rules: RULES });
  site = await serve(await bundle());
  const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  await fake?.stop();
});

test('the official SDK works in a real browser, from another origin', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${portOf(site)}/?port=${new URL(fake.restUrl).port}`);
  await expect
    .poll(() => page.textContent('body'))
    .toBe(JSON.stringify([30, false, 'permission-denied', 'permission-denied']));
  expect(fake.store.get('sessions/session-1')?.fields?.pages).toEqual({ integerValue: '30' });
  await page.close();
});

test('a keepalive request from a closing page arrives', async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${portOf(site)}/blank`);
  await page.evaluate((restUrl) => {
    const root = 'projects/demo-early-access/databases/(default)/documents';
    const update = { name: `${root}/sessions/session-2`, fields: {} };
    const updateTransforms = [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }];
    const body = JSON.stringify({ writes: [{ update, updateTransforms }] });
    addEventListener('pagehide', () =>
      fetch(`${restUrl}/v1/${root}:commit`, { method: 'POST', keepalive: true, body }),
    );
  }, fake.restUrl);
  await page.goto('about:blank');
  await expect.poll(() => fake.store.get('sessions/session-2')).toBeDefined();
  await page.close();
});

async function bundle(): Promise<string> {
  const entryPoints = [path.join(import.meta.dirname, 'browser-page.ts')];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm' });
  return outputFiles[0]?.text ?? '';
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    const tag = request.url?.startsWith('/?') === true ? '<script type="module" src="/page.js"></script>' : '';
    response.end(isScript ? script : `<!DOCTYPE html><title>page</title><body>${tag}</body>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
