import { expect, it } from 'vitest';
import { ConfigError } from '../../app/access/host-mistakes.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { createEarlyAccess } from '../server/early-access.ts';
import { resolveTexts, type ServerTexts } from './page-texts.ts';

it('puts the texts of a host in the place of the own ones, in the same language only', () => {
  const texts = resolveTexts({ es: { confirmTitle: 'Un paso más' } });
  expect(texts.es).toEqual({ ...resolveTexts().es, confirmTitle: 'Un paso más' });
  expect(texts.en).toEqual(resolveTexts().en);
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
