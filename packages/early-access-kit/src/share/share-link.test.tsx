// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { httpAdapter } from '../adapters/http.ts';
import { memoryAdapter } from '../adapters/memory.ts';
import type { SharedLink, SignupResult, StorageAdapter } from '../core/adapter.ts';
import { defineShareElement } from '../embed/share-element.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { SignupForm } from '../signup/signup-form.tsx';
import { exampleSignup } from '../testing/examples.ts';
import { ShareLink } from './share-link.tsx';
import { withShare } from './with-share.ts';

const ADDRESS = 'ada@example.org';
const LINK: SharedLink = {
  url: 'https://acme.example/?utm_source=share&utm_content=abcdefghij',
  title: 'Share your link',
  hint: 'A friend counts once they have confirmed.',
  text: 'Join me:',
  share: 'Share',
  copy: 'Copy link',
  copied: 'Copied',
  friends: 'Friends who joined: 2',
  place: 'Your place in line: 7',
};

const ask = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
beforeEach(() => {
  ask.mockReset().mockImplementation(async () => Response.json({ share: LINK }));
  vi.stubGlobal('fetch', ask);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'share');
});

function adapter(result: SignupResult = 'pending') {
  const createSignup: StorageAdapter['createSignup'] = async () => result;
  return { ...memoryAdapter(), share: httpAdapter().share, createSignup };
}

async function signUp(result?: SignupResult) {
  const user = userEvent.setup();
  render(
    <EarlyAccessProvider adapter={withShare(adapter(result))} locale="de" notify={() => {}}>
      <SignupForm botGuard={false} />
      <ShareLink className="mine" />
    </EarlyAccessProvider>,
  );
  await user.type(screen.getByRole('textbox'), ADDRESS);
  await user.click(screen.getByRole('button'));
  return user;
}

const readBody = () => JSON.parse(String(ask.mock.calls[0]?.[1].body));

it('shows the visitor’s link after the signup, in the language of the page', async () => {
  const user = await signUp();
  const url = await screen.findByRole('textbox', { name: LINK.title });
  expect(url).toHaveProperty('value', LINK.url);
  expect(ask.mock.calls.map(([address]) => address)).toEqual(['/api/share']);
  expect(readBody()).toEqual({ email: ADDRESS, submission_id: expect.any(String), lang: 'de' });
  expect(screen.getByRole('region', { name: LINK.title }).className).toBe('eak-signup mine');
  expect(screen.getByText(`${LINK.friends} · ${LINK.place}`).textContent).toContain(
    'joined:\u00a02 · Your place in line:\u00a07',
  );
  expect(screen.queryByRole('button', { name: LINK.share })).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('');
  await user.click(screen.getByRole('button', { name: LINK.copy }));
  expect(await navigator.clipboard.readText()).toBe(LINK.url);
  expect(screen.getByRole('status').textContent).toBe(LINK.copied);
});

it('selects the address if the browser cannot copy it', async () => {
  const user = await signUp();
  const url = await screen.findByRole<HTMLInputElement>('textbox', { name: LINK.title });
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
  await user.click(screen.getByRole('button', { name: LINK.copy }));
  expect(document.activeElement).toBe(url);
  expect(url.value.slice(url.selectionStart ?? 0, url.selectionEnd ?? 0)).toBe(LINK.url);
  expect(screen.getByRole('status').textContent).toBe('');
});

it('opens the share dialog if the browser has one', async () => {
  const share = vi.fn(async () => {
    throw new DOMException('closed', 'AbortError');
  });
  Object.assign(navigator, { share });
  const user = await signUp();
  await user.click(await screen.findByRole('button', { name: LINK.share }));
  expect(share.mock.calls).toEqual([[{ text: LINK.text, url: LINK.url }]]);
});

it.each<[string, SignupResult, () => Promise<Response>]>([
  ['the address was on the list', 'duplicate', async () => Response.json({ share: LINK })],
  ['the server has no link for the signup', 'pending', async () => Response.json({ share: null })],
  ['share links are off', 'pending', async () => Response.json({ error: {} }, { status: 404 })],
  ['the server cannot be reached', 'pending', () => Promise.reject(new TypeError('offline'))],
])('shows nothing if %s', async (_, result, respond) => {
  ask.mockImplementation(respond);
  await signUp(result);
  await vi.waitFor(() => expect(ask.mock.calls.length).toBe(result === 'duplicate' ? 0 : 1));
  await Promise.allSettled(ask.mock.results.map(({ value }) => value));
  expect(screen.queryByRole('region', { name: LINK.title })).toBeNull();
});

it('wraps an adapter of any shape, with all its current and later properties', async () => {
  class OwnAdapter {
    readonly #links = new Map([['submission-1', LINK]]);
    readonly endpoint = '/own';
    createSignup = async () => 'created' as const;
    sendWelcomeEmail = async () => {};
    startSession = async () => {};
    updateSession = async () => {};
    readSummary = memoryAdapter().readSummary;
    later = () => this.#links.size;
    async share({ submission_id }: { submission_id: string }) {
      return this.#links.get(submission_id);
    }
  }
  const own = new OwnAdapter();
  const shared = withShare(own);
  expect(await shared.share?.({ email: ADDRESS, submission_id: 'submission-1' })).toBe(LINK);
  expect([shared.endpoint, shared.inbox, 'later' in shared]).toEqual(['/own', undefined, true]);
  expect(await shared.createSignup(exampleSignup())).toBe('created');
});

it('explains the problem if the adapter was not created by withShare', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const page = (
    <EarlyAccessProvider adapter={memoryAdapter()}>
      <ShareLink />
    </EarlyAccessProvider>
  );
  expect(() => render(page)).toThrow('adapter={withShare(…)}');
});

it('as an element, shows the same for signups of the page’s adapter', async () => {
  const own = adapter();
  defineShareElement(own);
  document.body.innerHTML = '<div lang="es"><early-access-share></early-access-share></div>';
  const root = document.querySelector('early-access-share')?.shadowRoot;
  expect(root?.children).toHaveLength(0);
  await own.createSignup(exampleSignup({ email: ADDRESS, submission_id: 'submission-1' }));
  await vi.waitFor(() => expect(root?.querySelector('input')?.value).toBe(LINK.url));
  expect(readBody()).toEqual({ email: ADDRESS, submission_id: 'submission-1', lang: 'es' });
  expect([...(root?.querySelectorAll('[part]') ?? [])].map((each) => each.getAttribute('part'))).toEqual(
    'root form label row field input button hint hint status'.split(' '),
  );
  const user = userEvent.setup();
  const button = root?.querySelector('button');
  if (!button) throw new Error('there is no button');
  await user.click(button);
  await vi.waitFor(() => expect(root?.querySelector('[role=status]')?.textContent).toBe(LINK.copied));
  expect(await navigator.clipboard.readText()).toBe(LINK.url);
});
