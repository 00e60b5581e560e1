// @vitest-environment jsdom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { defineElements } from './elements.tsx';
import { createPage } from './page.tsx';

beforeAll(() =>
  defineElements(createPage({ adapter: memoryAdapter() }), () => Promise.reject(new Error('nothing else is loaded'))),
);
afterEach(() => document.body.replaceChildren());

it.each([
  [
    'the address typed before the script ran',
    '<form><input name="email" value="ada@example.org"></form>',
    'ada@example.org',
  ],
  ["no value of the page's own fields", '<div slot="fields"><input type="hidden" name="fields" value="1"></div>', ''],
])('the field starts with %s', async (_, content, value) => {
  document.body.innerHTML = `<early-access-form>${content}</early-access-form>`;
  const root = () => document.querySelector('early-access-form')?.shadowRoot;
  await vi.waitFor(() => expect(root()?.querySelector<HTMLInputElement>('[type=email]')?.value).toBe(value));
});
