// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { httpAdapter } from '../adapters/http.ts';
import { memoryAdapter } from '../adapters/memory.ts';
import type { StorageAdapter } from '../core/adapter.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { formatCount } from './format-count.ts';
import { SignupCount } from './signup-count.tsx';

const fetched = vi.fn<typeof fetch>();
/** A new endpoint for each test, because the script only sends one request per endpoint. */
let endpoint = '';
let tests = 0;

beforeEach(() => {
  tests += 1;
  endpoint = `https://${tests}.example/api`;
  vi.stubGlobal('fetch', fetched);
  fetched.mockReset().mockImplementation(async () => Response.json({ count: 2430 }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TEXT = { one: '{count} artist has joined', other: '{count} artists have joined' };

const show = (adapter: StorageAdapter = httpAdapter({ endpoint }), locale = 'en') =>
  render(
    <EarlyAccessProvider adapter={adapter} locale={locale}>
      <SignupCount text={TEXT} className="mine" />
      <SignupCount text="again: {count}" />
    </EarlyAccessProvider>,
  );

it('shows the server’s number, with one request for all counters of the page', async () => {
  show();
  expect((await screen.findByText('2,430 artists have joined')).className).toBe('mine');
  expect(await screen.findByText('again: 2,430')).toBeDefined();
  expect(fetched.mock.calls).toEqual([
    [
      `${endpoint}/count`,
      expect.objectContaining({ method: 'GET', credentials: 'omit', referrerPolicy: 'no-referrer', body: undefined }),
    ],
  ]);
});

it.each([
  ['none, which is too small to be shown', () => Response.json({ count: null })],
  ['an error, such as from a server without the setting', () => Response.json({ error: {} }, { status: 404 })],
  ['a page', () => new Response('<p>')],
])('shows nothing if the server returns %s', async (_, respond) => {
  fetched.mockImplementation(async () => respond());
  const { container } = show();
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await fetched.mock.results[0]?.value;
  expect(container.querySelector('p')).toBeNull();
});

it('shows the number of any adapter that provides one', async () => {
  show({ ...memoryAdapter(), count: async () => 1 });
  expect(await screen.findByText('1 artist has joined')).toBeDefined();
});

it('shows nothing if the adapter provides no number, and renders nothing on a server', () => {
  const page = (
    <EarlyAccessProvider adapter={{ ...memoryAdapter(), count: undefined }}>
      <SignupCount text={TEXT} />
    </EarlyAccessProvider>
  );
  expect(renderToString(page)).not.toContain('joined');
  render(page);
  expect(fetched).not.toHaveBeenCalled();
});

it.each([
  [1, 'en', '1 artist has joined'],
  [2_000, 'en', '2,000 artists have joined'],
  [2_000, 'de', '2.000 artists have joined'],
])('the plural of %i in %s', (count, locale, text) => {
  expect(formatCount(count, locale, (rule) => (rule === 'one' || rule === 'other' ? TEXT[rule] : undefined))).toBe(
    text,
  );
});

it('the element shows the text for the number’s plural category', async () => {
  const script = document.createElement('script');
  script.src = `https://${tests}.example/embed-count.js`;
  script.type = 'text/plain';
  document.head.append(script);
  await import('../embed/count-script.ts');
  document.body.innerHTML =
    '<p lang="pl"><early-access-count text="{count} osoby" text-many="{count} osób"></early-access-count></p>';
  await vi.waitFor(() => expect(document.querySelector('early-access-count')?.textContent).toMatch(/^2430 osób$/));
  expect(fetched.mock.calls[0]?.[0]).toBe(`${endpoint}/count`);
  script.remove();
});
