import { expect, it } from 'vitest';
import { hashToken } from '../app/access/secrets.ts';
import { EVERYONE } from '../app/people/people.ts';
import { adminHarness } from '../fixtures/admin-harness.ts';
import { allRoutes } from '../fixtures/all-routes.ts';
import { fillStore } from '../fixtures/filled-store.ts';

/** Record that something was read, and nothing about a person. */
const RECORDS = ['admin_audit'];

it('no GET changes anything but what records it, with any link or session', async () => {
  const { app, store, raw, signIn } = adminHarness({
    ...{ statusPage: true, share: { showPlaces: true }, agentDocs: true, hostedForms: { joinPage: true } },
    invites: { url: new URL('https://product.example'), key: 'k'.repeat(32) },
  });
  await fillStore(store, 6);
  const cookie = await signIn();
  const tables = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  const readTables = () =>
    tables.flatMap(({ name }) => {
      const rows = JSON.stringify(raw.prepare(`SELECT * FROM "${name}"`).all(), (_, value) =>
        value instanceof Uint8Array ? [...value] : value,
      );
      return RECORDS.includes(String(name)) ? [] : [`${name}: ${rows}`];
    });
  const message = await store.mails.due().claimNext();
  if (typeof message === 'string') throw new Error('no email is due');
  const { people } = await store.people.list({ ...EVERYONE, sort: 'oldest', limit: 1, after: null });
  const [campaign] = await store.campaigns.list();
  const tokens = [message.tokens.unsubscribe, message.tokens.status, message.tokens.link].filter(
    (token) => token !== null,
  );
  expect(await store.list.findOwner(hashToken(message.tokens.unsubscribe ?? ''), 'unsubscribe')).not.toBeNull();
  const before = readTables();
  const routes = allRoutes().flatMap((route) => (route.startsWith('GET ') ? [route.slice('GET '.length)] : []));
  expect(routes.length).toBeGreaterThan(25);
  const served: string[] = [];
  for (const route of routes) {
    for (const id of route.includes(':') ? [people[0]?.id ?? '', campaign?.id ?? ''] : ['']) {
      for (const query of ['', ...tokens.map((token) => `?token=${token}`)]) {
        const request = new Request(`http://localhost:4173${route.replace(/:\w+/, id)}${query}`, {
          headers: { cookie, host: 'localhost:4173', 'sec-fetch-site': 'same-origin' },
        });
        const response = await app.fetch(request, { incoming: { socket: { remoteAddress: '192.0.2.1' } } });
        await response.text();
        if (response.ok) served.push(route);
      }
    }
    expect([route, readTables()]).toEqual([route, before]);
  }
  expect(served).toEqual(
    expect.arrayContaining(['/unsubscribe', '/api/admin/people/:id', '/api/admin/campaigns/:id/preview']),
  );
});
