// @vitest-environment jsdom
import path from 'node:path';
import { documentedRows, formatRows, listenTo, perform } from '@early-access-kit/testkit/screen-reader';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import type { Messages } from '../core/messages.ts';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { OUTCOMES, SIGN_UP } from '../signup/spoken-form.fixture.ts';
import { defineElements } from './elements.tsx';
import { createPage, type Page } from './page.tsx';

const PAGE = path.resolve(import.meta.dirname, '../../docs/accessibility-form.mdx');

let page: Page;

beforeAll(() => {
  page = createPage({ adapter: memoryAdapter() });
  defineElements(page, () => Promise.reject(new Error('nothing else is loaded')));
});
afterEach(() => document.body.replaceChildren());

async function signUp(messages: Messages, locale: string) {
  page.configure({ adapter: memoryAdapter({ script: OUTCOMES }), messages, locale });
  const element = document.createElement('early-access-form');
  element.toggleAttribute('no-bot-guard', true);
  document.body.append(element);
  const form = await rendered(element, '.eak-signup');
  const toasts = await rendered(document.querySelector('early-access-toasts'), '.eak-toasts');
  const ears = [await listenTo(form), await listenTo(toasts)];
  const both = {
    heard: async () => (await Promise.all(ears.map((ear) => ear.heard()))).flat(),
    stop: async () => void (await Promise.all(ears.map((ear) => ear.stop()))),
  };
  const stops = [...form.querySelectorAll<HTMLElement>('input:not([tabindex]), button')];
  const announced = await perform(
    // user-event's Tab does not enter shadow roots, so this moves the focus itself.
    { user: userEvent.setup(), messages, form, toasts, tab: async () => stops.shift()?.focus() },
    SIGN_UP,
    both,
  );
  await both.stop();
  document.body.replaceChildren();
  return announced;
}

async function rendered(host: Element | null, selector: string): Promise<HTMLElement> {
  return vi.waitFor(() => {
    const found = host?.shadowRoot?.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`${selector} is not rendered yet`);
    return found;
  });
}

it('announces the same from its shadow roots, in English and Arabic', async () => {
  const steps = documentedRows(PAGE).filter((row) => SIGN_UP.some(([name]) => row.startsWith(`| ${name} |`)));
  expect(steps).toHaveLength(SIGN_UP.length);
  expect(formatRows(await signUp(en, 'en'), await signUp(ar, 'ar'))).toEqual(steps);
});
