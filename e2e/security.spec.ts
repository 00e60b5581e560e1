import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

const ELSEWHERE = 'http://elsewhere.test';

/** Attempts of an injected script, with the policy directive that blocks each. */
const ATTACKS = {
  'an inline script': 'script-src-elem',
  'a foreign script': 'script-src-elem',
  'an event handler in markup': 'script-src-attr',
  'code in a string': 'script-src',
  'a foreign request': 'connect-src',
  'a foreign image': 'img-src',
  'a foreign frame': 'frame-src',
  'a plugin': 'object-src',
  'an inline style': 'style-src-elem',
  'another base address': 'base-uri',
  'a foreign form': 'form-action',
};

/** Runs in the page. Returns the violated directive. */
function attack([kind, elsewhere]: readonly [string, string]): Promise<string> {
  function insert(tag: string, attributes: Record<string, string>, text = ''): HTMLElement {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return document.body.appendChild(element);
  }
  const attempts: Record<string, () => unknown> = {
    'an inline script': () => insert('script', {}, 'document.title = "taken over"'),
    'a foreign script': () => insert('script', { src: `${elsewhere}/x.js` }),
    'an event handler in markup': () => insert('a', { onclick: 'document.title = "taken over"' }).click(),
    'code in a string': () => setTimeout('document.title = "taken over"'),
    'a foreign request': () => fetch(`${elsewhere}/steal`).catch(() => {}),
    'a foreign image': () => insert('img', { src: `${elsewhere}/pixel.png` }),
    'a foreign frame': () => insert('iframe', { src: `${elsewhere}/` }),
    'a plugin': () => insert('object', { data: `${elsewhere}/x.swf` }),
    'an inline style': () => insert('style', {}, 'body { display: none }'),
    'another base address': () => insert('base', { href: elsewhere }),
    'a foreign form': () => {
      const button = document.createElement('button');
      insert('form', { action: elsewhere, method: 'post' }).append(button);
      button.click();
    },
  };
  return new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
    attempts[kind]?.();
  });
}

test.describe('the dashboard @self-hosted', () => {
  test.use({ expectedComplaints: [/TrustedHTML|status of 401/] });

  test('lets no text become markup', async ({ page }) => {
    await page.goto('/admin');
    const insert = () => page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<b>text</b>'));
    await expect(insert).rejects.toThrow(/TrustedHTML/);
    await expect(page.getByRole('textbox')).toBeVisible();
  });
});

test.describe('markup injected into a page @self-hosted', () => {
  test.use({ expectedComplaints: [/Content Security Policy|404|not a valid SWF/] });

  for (const path of ['/', '/nowhere']) {
    test(`cannot run, load or send anything on ${path}`, async ({ page, backend }) => {
      const foreign: string[] = [];
      page.on('requestfinished', (request) => {
        if (!request.url().startsWith(backend.server.origin)) foreign.push(request.url());
      });
      for (const [kind, directive] of Object.entries(ATTACKS)) {
        await page.goto(path);
        expect([kind, await page.evaluate(attack, [kind, ELSEWHERE] as const)]).toEqual([kind, directive]);
        expect([kind, await page.title()]).not.toEqual([kind, 'taken over']);
      }
      expect(foreign).toEqual([]);
    });
  }
});

test.describe('a page of another site @self-hosted', () => {
  test.use({ expectedComplaints: [/frame-ancestors|refused to connect|CORS policy|ERR_FAILED|ERR_BLOCKED|403/] });

  test('can neither frame the site nor read its responses', async ({ page, email, backend }) => {
    const { origin } = backend.server;
    const elsewhere = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end(`<title>Elsewhere</title><iframe src="${origin}/"></iframe>`),
    ).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    await page.goto(`http://127.0.0.1:${getPort(elsewhere)}`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);

    const signup = { email, session_id: null, source: 'x', referrer: null, submission_id: randomUUID() };
    const post = (route: string, body: object, mode: 'cors' | 'no-cors') =>
      page.evaluate(
        ([url, text, asked]) =>
          fetch(url, { method: 'POST', body: text, mode: asked }).then(
            ({ type }) => type,
            () => 'blocked',
          ),
        [`${origin}/api${route}`, JSON.stringify(body), mode] as const,
      );
    expect(await post('/signups', signup, 'cors')).toBe('blocked');
    // A simple request arrives, but the other page cannot read the response.
    expect(await post('/signups', signup, 'no-cors')).toBe('opaque');
    expect(await post('/summary', { admin_email: ADMIN_EMAIL }, 'cors')).toBe('blocked');
    expect(await backend.database.signup(email)).toBeUndefined();
    elsewhere.close();
  });
});

test('every response has a content type, security headers and a strict policy @self-hosted', { tag: '@main' }, async ({
  page,
  request,
  backend,
}) => {
  await page.goto('/');
  const script = await page.locator('script[data-src]').getAttribute('data-src');
  const responses = [
    await request.get('/'),
    await request.get('/nowhere'),
    await request.get(script ?? ''),
    await request.get('/favicon.svg'),
    await request.get('/robots.txt'),
    await request.get('/embed.js'),
    await request.get('/healthz'),
    await request.get('/api/signups'),
    await request.post('/api/nothing'),
    await request.post('/api/summary', { data: { admin_email: 'x@y.io' } }),
    await request.post('/api/signup-form', { form: { email: 'no address' } }),
    await request.post('/api/signup-form', { form: { email: `${randomUUID()}@example.org` } }),
    await request.put('/'),
  ];
  expect(responses.map((response) => response.status())).toEqual([
    200, 404, 200, 200, 200, 200, 200, 405, 404, 403, 400, 201, 405,
  ]);
  for (const response of responses) {
    const { origin } = backend.server;
    const { 'content-security-policy': policy = '', ...headers } = response.headers();
    const where = response.url().replace(origin, '');
    expect([where, policy]).toEqual([where, expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/)]);
    expect([where, policy]).toEqual([where, expect.not.stringMatching(/unsafe|\*|https?:/)]);
    expect([where, headers['x-content-type-options']]).toEqual([where, 'nosniff']);
    expect([where, headers['referrer-policy']]).toEqual([where, 'strict-origin-when-cross-origin']);
    expect([where, headers.server, headers['x-powered-by']]).toEqual([where, undefined, undefined]);
  }
});

function getPort(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address.port;
}
