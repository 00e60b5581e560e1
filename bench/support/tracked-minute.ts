import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { serveHttp } from '@early-access-kit/testkit/http-server';
import type { Browser, Page } from 'playwright';
import { bundle } from './bundle.ts';
import { type Cost, parseTrace, sumCosts } from './trace.ts';
import type { Tracker } from './trackers.ts';
import { VISITOR } from './visitor.ts';

const SITE = path.resolve(import.meta.dirname, '../../site/dist/client');
const SCRIPT = '/bench-tracker.js';
const HOST = '/bench-host.js';

/** A host with a second page view: a key changes the route. */
const HOST_CODE = "addEventListener('keydown', () => history.pushState(null, '', '/pricing'));";
/** Stays in place while the page scrolls. */
const BUTTON = '<button type="button" style="position: fixed; left: 0; bottom: 0">Menu</button>';
const IN_BUTTON = { x: 10, y: VISITOR.viewport.height - 8 };

/** Interval of the visitor's actions. */
const STEP_MS = 500;
/** Time for requests on leaving to arrive. */
const LEAVING_MS = 500;

/** A tracker's cost for the page, and its requests. */
export interface TrackedMinute extends Cost {
  readonly requests: number;
  /** Total size of all bodies. */
  readonly bytes: number;
  /** Names of all sent fields with a value. */
  readonly fields: readonly string[];
}

/**
 * Scrolls, clicks and once changes the route on the landing page, in real time. The page is the prerendered one with
 * the tracker and a few lines of host code as its only scripts, so that all traced scripts belong to the tracker. A
 * local server accepts every request.
 */
export async function trackedMinute(
  browser: Browser,
  { name, page: file }: Tracker,
  seconds: number,
): Promise<TrackedMinute> {
  const bodies: string[] = [];
  const site = await serveSite(await bundle(file), (body) => void bodies.push(body));
  const page = await browser.newPage(VISITOR);
  try {
    await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] });
    const started = page.waitForResponse((response) => response.request().method() === 'POST');
    // A secure context under a name that trackers do not treat as development.
    await page.goto(site.origin.replace('localhost', 'shop.localhost'));
    await started;
    await visit(page, seconds * 1_000);
    await page.goto('about:blank');
    await page.waitForTimeout(LEAVING_MS);
    const trace = parseTrace(await browser.stopTracing());
    if (bodies.length < 2) throw new Error(`${name} sent ${bodies.length} requests`);
    return {
      ...sumCosts(trace, [SCRIPT, HOST]),
      requests: bodies.length,
      bytes: bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0),
      fields: [...new Set(bodies.flatMap((body) => collectNames(JSON.parse(body))))],
    };
  } finally {
    await page.close();
    await site.close();
  }
}

/** Three of four steps scroll, down the page and back up. */
async function visit(page: Page, ms: number): Promise<void> {
  const steps = ms / STEP_MS;
  for (let step = 0; step < steps; step += 1) {
    const passed = page.waitForTimeout(STEP_MS);
    if (step === Math.floor(steps / 2)) await page.keyboard.press('n');
    if (step % 4 === 3) await page.mouse.click(IN_BUTTON.x, IN_BUTTON.y);
    else await swipe(page, step % 40 < 20 ? 50 : -50);
    await passed;
  }
}

/** Scrolls smoothly, like a touchpad or wheel: a little in each of several frames. */
async function swipe(page: Page, distance: number): Promise<void> {
  for (let frame = 0; frame < 8; frame += 1) await page.mouse.wheel(0, distance);
}

/** Serves the built landing page with only the measured scripts. Calls back with each posted body. */
function serveSite(script: string, onBody: (body: string) => void) {
  const tags = [SCRIPT, HOST].map((src) => `<script defer src="${src}" data-website-id="shop"></script>`).join('');
  const markup = readFileSync(path.join(SITE, 'index.html'), 'utf8')
    .replace(/<script\b[^>]*><\/script>/g, '')
    .replace('</head>', `${tags}</head>`)
    .replace('</body>', `${BUTTON}</body>`);
  const files = new Map([
    ['/', { type: 'text/html', content: markup }],
    [SCRIPT, { type: 'text/javascript', content: script }],
    [HOST, { type: 'text/javascript', content: HOST_CODE }],
  ]);
  const read = async (request: IncomingMessage) => {
    if (request.method !== 'POST') return files.get(request.url ?? '') ?? styles(request.url);
    onBody(await text(request));
    return { type: 'application/json', content: '{}' };
  };
  return serveHttp(async (request, response) => {
    const found = await read(request);
    response.writeHead(found ? 200 : 404, { 'Content-Type': found?.type ?? 'text/plain' }).end(found?.content);
  });
}

function styles(url = '') {
  if (!/^\/assets\/[\w.-]+\.css$/.test(url)) return undefined;
  return { type: 'text/css', content: readFileSync(path.join(SITE, url), 'utf8') };
}

/** Returns the names of all non-empty values of a JSON body. */
function collectNames(value: unknown, name = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, member]) => collectNames(member, key));
  }
  return value === null || value === '' ? [] : [name];
}
