import { ADMIN_EMAIL } from '../support/backend.ts';
import { PRELOAD } from '../support/gatekeeper.ts';
import { SUCCEEDED } from '../support/test.ts';
import { endedVisit } from '../support/visit.ts';
import { click, expect, fill, see, test } from './support/test.ts';

test('the elements sign up, track and show the numbers on a page of another origin', async ({
  newTab,
  gate,
  site,
  email,
  backend: { database },
}) => {
  const page = site.put(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title>
    <script src="${gate.origin}${PRELOAD}"></script><script src="${gate.origin}/embed.js" defer></script></head>
    <body><main><h1>A studio</h1><early-access-form source="partner"></early-access-form></main>
    <early-access-tracker></early-access-tracker><early-access-admin></early-access-admin></body></html>`,
    `default-src 'self' ${gate.origin}`,
  );
  const tab = await newTab();
  await tab.open(page);
  await fill(tab, 'form input[type=email]', email);
  await click(tab, 'form button', 'Join the beta');
  await see(tab, '.eak-signup', "You're on the list!");
  await see(tab, '[role=status]', SUCCEEDED);
  const { session_id, source } = (await database.signup(email)) ?? {};
  expect([session_id, source]).toEqual([expect.any(String), 'partner']);

  await tab.pressControlAltA();
  await fill(tab, 'dialog input[type=email]', ADMIN_EMAIL);
  await tab.press('Enter');
  await see(tab, 'dialog', 'Analytics Overview');
  await tab.close();
  expect(await endedVisit(String(session_id), database)).toMatchObject({ page_count: 1, is_bounce: 1 });
  // No call needs a preflight. A closing page would have no time for one.
  expect(gate.seen.filter(({ method }) => method === 'OPTIONS')).toEqual([]);
});
