import { describe, expect, it } from 'vitest';
import { type ListStatus, OPEN_LIST } from '../../app/signup/list-status.ts';
import { ALLOWED_ORIGIN, type AppHarness, appHarness } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';

const PUBLIC_URL = new URL('http://localhost:4173');
const NOTICE = { message: 'Back in <spring>', link_url: 'https://acme.example/news?a=1&b=2', link_text: 'Our "news"' };
const LINK = '<a class="button" href="https://acme.example/news?a=1&#38;b=2"';

async function closed(status: Partial<ListStatus>): Promise<AppHarness> {
  const hostedForms = { joinPage: true, origins: [ALLOWED_ORIGIN] };
  const harness = appHarness({ hostedForms, publicUrl: PUBLIC_URL, site: undefined });
  await harness.store.listStatus.save({ ...OPEN_LIST, ...status });
  return harness;
}

const signUp = ({ post }: AppHarness, email: string, lang?: string) =>
  post('/api/signups', { email, source: 'landing_page', submission_id: crypto.randomUUID(), lang });

const submit = ({ post }: AppHarness, email: string) =>
  post('/api/signup-form', new URLSearchParams({ email, lang: 'de' }));

async function open({ app }: AppHarness, path: string, headers: Record<string, string> = {}) {
  const request = new Request(PUBLIC_URL.origin + path, { headers: { host: PUBLIC_URL.host, ...headers } });
  return (await app.fetch(request)).text();
}

describe('a signup while the list accepts nobody', () => {
  it('gets a code of its own, with the text and the link of the admin', async () => {
    const harness = await closed({ mode: 'paused', ...NOTICE, message: 'Back in spring' });
    const response = await signUp(harness, 'ada@example.org');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: {
        code: 'list-closed',
        message: 'the list is paused',
        text: `Back in spring. ${NOTICE.link_url}`,
        closed: { reason: 'paused', is_kept: false, link: { url: NOTICE.link_url, text: NOTICE.link_text } },
      },
    });
    expect(readSignups(harness.raw)).toEqual([]);
    expect(harness.wakes.count).toBe(0);
  });

  it('gets the built-in text in the language of the page', async () => {
    const harness = await closed({ mode: 'closed' });
    expect(await (await signUp(harness, 'ada@example.org', 'de-AT')).json()).toMatchObject({
      error: { text: 'Diese Liste nimmt keine neuen Anmeldungen an.', closed: { reason: 'closed' } },
    });
  });

  it('by a form without scripts gets a page with the text and the link', async () => {
    const response = await submit(await closed({ mode: 'closed', ...NOTICE, link_text: null }), 'ada@example.org');
    const page = await response.text();
    expect(response.status).toBe(403);
    expect(page).toContain('<h1>Die Anmeldung ist geschlossen</h1>');
    expect(page).toContain('<p>Back in &#60;spring&#62;</p>');
    expect(page).toContain(`${LINK}>acme.example</a>`);
    const plain = await (await submit(await closed({ mode: 'closed' }), 'ada@example.org')).text();
    expect(plain).toContain('<p>Diese Liste nimmt keine neuen Anmeldungen an.</p>');
    expect(plain).not.toContain('class="button"');
  });
});

it('an address that waits for the list to open is kept, and its visitor is told, in every way to sign up', async () => {
  const harness = await closed({ mode: 'paused', ...NOTICE, takes_requests: true });
  expect(await (await signUp(harness, 'ada@example.org')).json()).toMatchObject({
    error: {
      code: 'list-closed',
      text: `${NOTICE.message}. We’ll email you when the list opens again. ${NOTICE.link_url}`,
      closed: { reason: 'paused', is_kept: true },
    },
  });
  const response = await submit(harness, 'bob@example.org');
  const page = await response.text();
  expect(response.status).toBe(202);
  expect(page).toContain('<h1>Wir sagen dir Bescheid</h1>\n<p>Wir schreiben dir, sobald die Liste wieder öffnet.</p>');
  const join = await open(harness, '/join');
  expect(join).toContain('<p>Back in &#60;spring&#62;</p>\n<p>Leave your email address, and we’ll let you know');
  expect(join).toMatch(/<form method="post" action="[^"]+">[\s\S]+<button>Notify me<\/button>/);
  expect(await harness.store.listStatus.countRequests()).toBe(2);
  expect(readSignups(harness.raw)).toEqual([]);
});

describe('the pages with the form', () => {
  it('say that the list is closed in place of the form, and show it again once it is open', async () => {
    const harness = await closed({ mode: 'paused', ...NOTICE });
    const join = await open(harness, '/join');
    expect(join).toContain('<h1>Signups are paused</h1>\n<p>Back in &#60;spring&#62;</p>');
    expect(join).toContain(`${LINK}>Our &#34;news&#34;</a>`);
    expect(join).not.toContain('<form');
    const framed = await open(harness, '/form?lang=fr', { 'sec-fetch-dest': 'iframe', referer: `${ALLOWED_ORIGIN}/` });
    expect(framed).toContain('<h1>Les inscriptions sont en pause</h1>');
    expect(framed).toContain(`${LINK} target="_blank" rel="noopener">`);
    expect(framed).not.toContain('<form');
    await harness.store.listStatus.save(OPEN_LIST);
    expect(await open(harness, '/join')).toContain('<form');
  });

  it('close at the time, and when the list is full', async () => {
    const harness = await closed({});
    await harness.store.listStatus.save({ ...OPEN_LIST, closes_at: harness.clock.now + 1, max_people: 1 });
    expect(await open(harness, '/join')).toContain('<form');
    await signUp(harness, 'ada@example.org');
    expect(await open(harness, '/join')).toContain('<h1>The list is full</h1>');
    harness.clock.now += 1;
    expect(await open(harness, '/join')).toContain('<h1>Signups are closed</h1>');
  });

  it('show the form if the database does not respond', async () => {
    const harness = await closed({ mode: 'closed' });
    harness.store.close();
    expect(await open(harness, '/join')).toContain('<form');
  });
});
