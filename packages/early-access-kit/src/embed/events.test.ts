// @vitest-environment jsdom
import { beforeAll, expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { defineElements } from './elements.tsx';
import { createPage } from './page.tsx';

beforeAll(() =>
  defineElements(createPage({ adapter: memoryAdapter() }), () => Promise.reject(new Error('nothing else is loaded'))),
);

it('also dispatches each event under a name with a hyphen, which every framework can bind', async () => {
  document.body.innerHTML = '<early-access-form></early-access-form>';
  const form = document.querySelector('early-access-form')?.shadowRoot;
  await vi.waitFor(() => expect(form?.querySelector('form')).not.toBeNull());
  const heard: unknown[] = [];
  for (const name of ['early-access-error', 'early-access:error'] as const) {
    document.addEventListener(name, ({ type, detail }) => heard.push([type, detail]));
  }
  form?.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  await vi.waitFor(() =>
    expect(heard).toEqual([
      ['early-access-error', { reason: 'invalid' }],
      ['early-access:error', { reason: 'invalid' }],
    ]),
  );
});
