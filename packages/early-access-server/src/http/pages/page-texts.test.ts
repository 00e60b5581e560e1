import { MESSAGES } from 'early-access-kit/messages';
import { expect, it } from 'vitest';
import { LANGUAGES } from '../../app/brand/language.ts';
import { ConfigError } from '../../app/config-error.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import { resolveTexts, type ServerTexts } from './page-texts.ts';

it('puts the texts of a host in the place of the own ones, in the same language only', () => {
  const texts = resolveTexts({ es: { confirmTitle: 'Un paso más' } });
  expect(texts.es).toEqual({ ...resolveTexts().es, confirmTitle: 'Un paso más' });
  expect(texts.en).toEqual(resolveTexts().en);
});

it.each(LANGUAGES)("has the pages' own texts in %s, and none in English", (language) => {
  const all = resolveTexts();
  const own = Object.keys(all.en).filter((name) => !(name in MESSAGES.en));
  expect(own.length).toBeGreaterThan(30);
  const english: ReadonlyMap<string, string> = new Map(Object.entries(all.en));
  const texts = Object.entries(all[language]).filter(([name]) => own.includes(name));
  expect(texts.map(([name]) => name).sort()).toEqual(own.sort());
  for (const [name, text] of texts) {
    expect(text).toMatch(/^\S(.*\S)?$/);
    if (language !== 'en') expect(text).not.toBe(english.get(name));
  }
});

it.each([
  ['{"en":{"confirmTitel":"?"}}', 'texts.en.confirmTitel (PAGE_TEXTS) does not exist; did you mean confirmTitle?'],
  ['{"ess":{"back":"?"}}', 'texts.ess (PAGE_TEXTS) does not exist; did you mean es?'],
  ['{"en":{"back":" "}}', 'texts.en.back (PAGE_TEXTS) must be a text that is not empty'],
  ['{"en":{"back":7}}', 'texts.en.back (PAGE_TEXTS) must be a text that is not empty'],
])('%s stops the start', (json, message) => {
  const texts: ServerTexts = JSON.parse(json);
  expect(() => createEarlyAccess({ store: tempStore().store, texts })).toThrow(new ConfigError(message));
});

it('shows them on every page that the server writes', async () => {
  const app = createEarlyAccess({
    store: tempStore().store,
    texts: { en: { confirmTitle: 'One & more step', unknownTitle: 'A broken link', refusedTitle: 'Not from here' } },
  });
  const read = async (path: string, init?: RequestInit) =>
    (await app.fetch(new Request(`http://localhost${path}`, init))).text();
  expect(await read('/confirm')).toContain('<h1 tabindex="-1">One &#38; more step</h1>');
  expect(await read('/unsubscribe?token=x')).toContain('A broken link');
  const headers = { Origin: 'https://other.example', 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = 'email=ada@example.org';
  expect(await read('/api/signup-form', { method: 'POST', headers, body })).toContain('Not from here');
});
