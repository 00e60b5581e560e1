import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NEW_LINK_PAGES } from '../../app/mail/message-kinds.ts';
import { appHarness } from '../../fixtures/app-harness.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { deliver } from '../../testing/harness.ts';

const ME = 'ada@example.org';
const JSON_TYPE = { 'content-type': 'application/json' };

async function harness(options: Parameters<typeof appHarness>[0] = {}) {
  const app = appHarness({ statusPage: true, ...options });
  await app.store.createSignup(signupOf({ email: ME }));
  await deliver(app.store);
  const ask = (email: unknown, page: unknown = 'confirm', client = '192.0.2.1') =>
    app.post('/api/links', { email, page }, { headers: JSON_TYPE, client });
  return { ...app, ask };
}

describe('POST /api/links', () => {
  it('responds the same whether or not the address is on the list, and queues an email to one that is', async () => {
    const { ask, store, wakes } = await harness({ confirm: true });
    const responses = [];
    for (const email of ['nobody@example.org', ' Ada@Example.org ']) {
      const response = await ask(email);
      responses.push([response.status, await response.text(), [...response.headers]]);
    }
    expect(responses[1]).toEqual(responses[0]);
    expect(responses[0]?.slice(0, 2)).toEqual([202, '']);
    expect(await claimNext(store.mails)).toMatchObject({ kind: 'confirmation', email: ME });
    expect(wakes.count).toBe(1);
  });

  it.each([
    ['confirm', true, 'status'],
    ['status', true, 'status'],
    ['invite', true, 'status'],
    ['confirm', false, undefined],
    ['invite', false, undefined],
  ])('for the page %s to a person on the list, with status pages: %j', async (page, statusPage, kind) => {
    const { ask, store } = await harness({ statusPage });
    expect((await ask(ME, page)).status).toBe(202);
    expect((await claimNext(store.mails))?.kind).toBe(kind);
  });

  it('takes the same time for every address, which is longer than the store takes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { ask } = await harness({ newLinkMs: 500, list: { requestLink: async (email) => email === ME } });
    for (const email of [ME, 'nobody@example.org']) {
      const responded = vi.fn();
      const response = ask(email).then(responded);
      await vi.advanceTimersByTimeAsync(499);
      expect(responded).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await response;
    }
  });

  it.each([
    ['no address', 'confirm'],
    [`${'x'.repeat(20_000)}@example.org`, 'confirm'],
    [7, 'confirm'],
    [undefined, 'confirm'],
    [ME, 'admin'],
    [ME, null],
  ])('refuses %.20j for the page %j', async (email, page) => {
    const { ask, store } = await harness();
    const response = await ask(email, page);
    expect([400, 413]).toContain(response.status);
    expect(await response.text()).not.toContain('ada@');
    expect(await claimNext(store.mails)).toBeNull();
  });

  it('limits requests by client and by mailbox, also for addresses that nobody has', async () => {
    const { ask } = await harness({ rateLimits: { newLinks: { burst: 6, perMinute: 1 } } });
    const statuses = async (emails: readonly string[], client = '192.0.2.1') => {
      const found = [];
      for (const email of emails) found.push((await ask(email, 'status', client)).status);
      return found;
    };
    expect(await statuses(Array(3).fill(ME))).toEqual([202, 202, 429]);
    expect(await statuses(['ada+x@example.org'], '192.0.2.2')).toEqual([429]);
    expect(await statuses(Array(3).fill('nobody@example.org'), '192.0.2.3')).toEqual([202, 202, 429]);
    expect(await statuses(['a@x.io', 'b@x.io', 'c@x.io', 'd@x.io'])).toEqual([202, 202, 202, 429]);
  });

  it('takes no request of another site’s page, no other type, and no other method', async () => {
    const { app, post } = await harness();
    const body = { email: ME, page: 'confirm' };
    const foreign = { headers: { ...JSON_TYPE, origin: 'https://evil.test' } };
    expect((await post('/api/links', body, foreign)).status).toBe(403);
    expect((await post('/api/links', body)).status).toBe(415);
    expect((await app.fetch(new Request('http://localhost:4173/api/links'))).status).toBe(405);
    expect(app.handles('/api/links')).toBe(true);
  });

  it('logs no address, not even if the store fails', async () => {
    const requestLink = async () => {
      throw new Error(`no room for ${ME}`);
    };
    const { ask, log } = await harness({ list: { requestLink } });
    expect((await ask(ME)).status).toBe(500);
    expect(log.map(({ fields }) => fields?.route)).toEqual(['/api/links']);
    expect(JSON.stringify(log)).not.toContain('ada@');
  });
});

describe('the pages whose link has lost its token', () => {
  const invites = { url: new URL('https://product.example/join?from=list'), key: 'k'.repeat(32) };

  it.each(NEW_LINK_PAGES)(
    '/%s asks for the address, and no form of it can be sent without its script',
    async (page) => {
      const { get } = await harness({ invites });
      const response = await get(`/${page}`);
      const html = await response.text();
      expect(html).toContain('<input id="email-unknown" type="email"');
      expect(html).toContain('Or enter your email address');
      expect(response.headers.get('content-security-policy')).toContain("form-action 'none'");
      expect(html).not.toMatch(/<input[^>]* name=/);
    },
  );

  it.each([
    ['https://product.example/join?from=list', 'https://product.example/join?from=list#invite='],
    ['https://product.example/#/join', 'https://product.example/#/join?invite='],
    ['https://product.example/#/join?x=1', 'https://product.example/#/join?x=1&#38;invite='],
  ])('/invite opens %s with the token', async (url, link) => {
    const { get } = await harness({ invites: { ...invites, url: new URL(url) } });
    const html = await (await get('/invite')).text();
    expect(html).toContain(`data-product="${link}"`);
  });

  it('/invite is a host’s own path unless people can be invited', async () => {
    const { app, get } = await harness({ site: undefined });
    expect([app.handles('/invite'), (await get('/invite')).status]).toEqual([false, 404]);
  });
});
