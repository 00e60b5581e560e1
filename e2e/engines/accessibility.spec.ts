import axe from 'axe-core';
import { ADMIN_EMAIL } from '../support/backend.ts';
import { SUCCEEDED } from '../support/test.ts';
import type { Tab } from './support/engine.ts';
import { click, expect, fill, openLandingPage, see, test, UNDETECTED } from './support/test.ts';

// axe is in the preload script, because the pages' policy allows no other one.
test.use({ preload: `${UNDETECTED}\n${axe.source}` });

/** Returns axe's findings in the page. */
function violations(tab: Pick<Tab, 'evaluate'>): Promise<unknown> {
  return tab.evaluate(async () => {
    const { violations } = await Reflect.get(window, 'axe').run();
    return violations.map(({ id, nodes }: { id: string; nodes: { html: string }[] }) => [
      id,
      ...nodes.map(({ html }) => html),
    ]);
  });
}

/** Colors may still be changing, so axe runs until they have arrived. */
async function expectAccessible(tab: Pick<Tab, 'evaluate'>): Promise<void> {
  await expect.poll(() => violations(tab)).toEqual([]);
}

test('axe finds nothing in the page, the form, the overlay and the dashboard’s sign-in page', async ({
  tab,
  gate,
  email,
}) => {
  await openLandingPage(tab, gate);
  await expectAccessible(tab);
  await fill(tab, '.hero input[type=email]', 'ada');
  await click(tab, '.hero .eak-form button');
  await see(tab, '.hero .eak-form *', 'Please enter a valid email address');
  await expectAccessible(tab);
  await fill(tab, '.hero input[type=email]', email);
  await tab.press('Enter');
  await see(tab, '[role=status]', SUCCEEDED);
  await expectAccessible(tab);

  await tab.pressControlAltA();
  await see(tab, 'dialog', 'Admin Access');
  await expectAccessible(tab);
  await fill(tab, 'dialog input[type=email]', ADMIN_EMAIL);
  await tab.press('Enter');
  await see(tab, 'dialog', 'Analytics Overview');
  await expectAccessible(tab);

  await tab.open(`${gate.origin}/admin`);
  await see(tab, 'h1', 'Sign in to the dashboard');
  await expectAccessible(tab);
});
