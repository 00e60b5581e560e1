import { hookPayload, newHookSecret, signHook } from '@early-access-kit/testkit/supabase-hook';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EVERYONE } from './app/people/people.ts';
import { type InviteClient, inviteClient } from './client.ts';
import { appHarness } from './fixtures/app-harness.ts';
import { claimNext } from './fixtures/temp-store.ts';
import { listen } from './http/application/listen.ts';
import { supabaseHook } from './supabase.ts';

const KEY = 'k'.repeat(32);
const SECRET = newHookSecret();

const signed = (body: string, { secrets = [SECRET], ...rest }: { secrets?: string[]; at?: Date } = {}) =>
  signHook(body, { secrets, ...rest });

const REQUIRED = { error: { http_code: 403, message: 'You need an invitation to sign up.' } };
const UNCHECKED = {
  error: { http_code: 503, message: 'Your invitation could not be checked. Please try again in a minute.' },
};

async function readResult(response: Response) {
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  return response.json();
}

const never: InviteClient = {
  verify: () => new Promise(() => {}),
  redeem: () => new Promise(() => {}),
  admit: () => new Promise(() => {}),
};

afterEach(() => vi.useRealTimers());

describe('the hook of Supabase, over a server', () => {
  async function serve() {
    const invites = { url: new URL('https://app.example/join'), key: KEY };
    const { app, store } = appHarness({ invites });
    const listening = await listen({ app, port: 0, hosts: ['127.0.0.1'] });
    onTestFinished(() => listening.close(0));
    const client = inviteClient({ url: `http://127.0.0.1:${listening.port}`, key: KEY });
    const hook = supabaseHook({ client, secret: SECRET });
    const people = ['ada', 'bob', 'eve'].map((name, at) => ({
      ...{ email: `${name}@example.org`, source: 'test', created_at: at + 1, state: 'subscribed' as const },
    }));
    await store.list.importPeople(people, { welcome: false });
    await store.list.invite({ after: null, who: { count: 2, filter: EVERYONE } });
    const ask = async (user: Record<string, unknown>) =>
      readResult(await hook(signed(JSON.stringify(hookPayload({ ...user })))));
    return { ask, store, hook };
  }

  it('lets in whoever is invited, again after an account could not be stored, and nobody else', async () => {
    const { ask, store } = await serve();
    expect(await ask({ email: 'Ada@Example.org' })).toEqual({});
    expect(await ask({ email: 'ada@example.org' })).toEqual({});
    expect((await store.list.counts()).get('joined')).toBe(1);
    for (const email of ['eve@example.org', 'nobody@example.org', '', 'x'.repeat(1_000), null, 7]) {
      expect(await ask({ email })).toEqual(REQUIRED);
    }
    expect((await store.list.counts()).get('joined')).toBe(1);
  });

  it('lets in whoever has an invitation, which was sent to another address, once', async () => {
    const { ask, store } = await serve();
    const invite = (await claimNext(store.mails))?.tokens.link;
    const guest = { email: 'guest@example.org', user_metadata: { invite } };
    expect(await ask(guest)).toEqual({});
    expect(await ask(guest)).toEqual({
      error: { http_code: 403, message: 'This invitation has already been used. Sign in instead.' },
    });
    expect(await ask({ ...guest, user_metadata: { invite: 'x' } })).toEqual(REQUIRED);
  });

  it('has a signature of its own list, and refuses what Supabase has not signed', async () => {
    const { hook, store } = await serve();
    const body = JSON.stringify(hookPayload());
    const wrong = [
      signed(body, { secrets: [newHookSecret()] }),
      signed(body, { at: new Date(Date.now() - 6 * 60_000) }),
      new Request('https://hooks.example/', { method: 'POST', body }),
      new Request(signed(body), { body: body.replace('ada', 'bob') }),
    ];
    for (const request of wrong) expect((await hook(request)).status).toBe(401);
    expect((await store.list.counts()).get('joined')).toBeUndefined();
    expect(await readResult(await hook(signed(body, { secrets: [newHookSecret(), SECRET] })))).toEqual({});
  });
});

describe('the hook of Supabase, without a server', () => {
  const unreachable = inviteClient({ url: 'http://127.0.0.1:1', key: KEY });

  it('lets nobody in while the list cannot be asked, with a sentence for the person', async () => {
    const hook = supabaseHook({ client: unreachable, secret: SECRET });
    expect(await readResult(await hook(signed(JSON.stringify(hookPayload()))))).toEqual(UNCHECKED);
    const messages = { INVITE_UNCHECKED: 'Bitte später noch einmal versuchen.' };
    const german = supabaseHook({ client: unreachable, secret: SECRET, messages });
    expect(await readResult(await german(signed(JSON.stringify(hookPayload()))))).toEqual({
      error: { http_code: 503, message: messages.INVITE_UNCHECKED },
    });
  });

  it('responds before Supabase gives up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const asked = supabaseHook({ client: never, secret: SECRET })(signed(JSON.stringify(hookPayload())));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1 });
    vi.advanceTimersByTime(4_000);
    expect(await readResult(await asked)).toEqual(UNCHECKED);
  });

  it('takes either secret while one is replaced, and no text that is none', async () => {
    const [old, next] = [newHookSecret(), newHookSecret()];
    const hook = supabaseHook({ client: unreachable, secret: `${old}|${next}` });
    for (const secret of [old, next]) {
      expect((await hook(signed(JSON.stringify(hookPayload()), { secrets: [secret] }))).status).toBe(200);
    }
    for (const secret of ['', 'whsec_abc', 'v1,whsec_', `${old}|`]) {
      expect(() => supabaseHook({ client: unreachable, secret })).toThrow('secret of the hook that Supabase shows');
    }
  });

  it.each([
    ['another hook', JSON.stringify(hookPayload({}, 'send-email')), 400],
    ['no JSON', '{', 400],
    ['no object', '7', 400],
    ['too much', JSON.stringify(hookPayload({ padding: 'x'.repeat(210_000) })), 413],
  ])('refuses %s', async (_, body, status) => {
    const hook = supabaseHook({ client: never, secret: SECRET });
    expect((await hook(signed(body))).status).toBe(status);
  });
});
