import type { Page, Route } from '@playwright/test';
import { report } from '../../faults/support/report.ts';
import { LONG } from '../../faults/support/scale.ts';
import type { Backend } from '../support/backend.ts';
import { routeCalls } from '../support/calls.ts';
import { expect, openLandingPage, signupForm, test, toast } from '../support/test.ts';
import { DUPLICATE, FAILED, SUCCEEDED } from '../support/texts.ts';

/** After this, twice, the form gives up. */
const DEADLINE_MS = 10_000;
/** The rest of the test takes as long as ever. */
const REST_MS = 60_000;

// A page that is closed, or has given up, takes no answer.
test.use({ expectedComplaints: [/Failed to load resource|ERR_/] });

/** Carries the call out at the store, as it is. */
function carryOut(route: Route, backend: Backend) {
  return route.fetch({ url: backend.reachable(route.request().url()) });
}

/** What the page had given up is carried out all the same, and must not reach into the next test. */
function lateCallsAreOver(page: Page): Promise<void> {
  return page.unrouteAll({ behavior: 'wait' });
}

async function submit(page: Page, email: string) {
  const form = signupForm(page, 'hero');
  await form.input.fill(email);
  await form.button.click();
  return form;
}

/** There is one record of the address, and it gets one mail. */
async function expectSignedUpOnce(email: string, { database, mailbox }: Backend): Promise<void> {
  await mailbox.waitForMail(email);
  await expect.poll(() => database.mailState(email)).toBe('sent');
  expect(database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
  expect(mailbox.mailsTo(email)).toHaveLength(1);
}

/** The form has told the truth: nothing is sure. It signs up as soon as the network is well again, with what is in it. */
async function expectFailureAndThenSuccess(page: Page, email: string, backend: Backend, heal: () => Promise<unknown>) {
  const { input, button, success } = signupForm(page, 'hero');
  await expect(toast(page, FAILED)).toBeVisible({ timeout: 2 * DEADLINE_MS + REST_MS });
  await expect(success).toBeHidden();
  await expect(input).toHaveValue(email);
  await heal();
  await button.click();
  await expect(success).toBeVisible();
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  await expectSignedUpOnce(email, backend);
}

test('offline, the form says so, and signs up once the connection is back', async ({
  page,
  context,
  email,
  backend,
}) => {
  await openLandingPage(page);
  await context.setOffline(true);
  await submit(page, email);
  await expectFailureAndThenSuccess(page, email, backend, () => context.setOffline(false));
});

for (const ms of LONG ? [500, 2_000, 5_000, 9_000] : [500]) {
  test(`an answer after ${ms} ms is waited for`, async ({ page, email, backend }) => {
    await openLandingPage(page);
    await routeCalls(page, 'sign-up', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      await route.fulfill({ response: await carryOut(route, backend) });
    });
    const { button, success } = await submit(page, email);
    await expect(button).toHaveText('Joining...');
    await expect(success).toBeVisible();
    await expectSignedUpOnce(email, backend);
    report(`sign-up with ${ms} ms latency`, 'signed up, one record, one mail');
  });
}

for (const ms of LONG ? [15_000, 30_000] : []) {
  test(`a network that takes ${ms} ms is given up, and what it brought late is no second sign-up`, async ({
    page,
    email,
    backend,
  }) => {
    test.setTimeout(2 * REST_MS + 4 * ms);
    await openLandingPage(page);
    let slow = true;
    await routeCalls(page, 'sign-up', async (route) => {
      if (slow) await new Promise((resolve) => setTimeout(resolve, ms));
      const response = await carryOut(route, backend);
      await route.fulfill({ response }).catch(() => {});
    });
    await submit(page, email);
    await expectFailureAndThenSuccess(page, email, backend, async () => {
      slow = false;
      await expect.poll(() => backend.database.signup(email), { timeout: 2 * ms }).toBeDefined();
    });
    await lateCallsAreOver(page);
    report(`sign-up with ${ms} ms latency`, 'told of the failure, then signed up, one record, one mail');
  });
}

test('a network that takes too long is given up, and what it brought late is no second sign-up', async ({
  page,
  email,
  backend,
}) => {
  await page.clock.install();
  await openLandingPage(page);
  const [held, released] = [{ calls: 0 }, Promise.withResolvers<void>()];
  await routeCalls(page, 'sign-up', async (route) => {
    held.calls += 1;
    await released.promise;
    const response = await carryOut(route, backend);
    await route.fulfill({ response }).catch(() => {});
  });
  const form = signupForm(page, 'hero');
  await form.input.fill(email);
  await page.clock.fastForward(5_000);
  await form.button.click();
  for (const calls of [1, 2]) {
    await expect.poll(() => held.calls).toBe(calls);
    await page.clock.fastForward(DEADLINE_MS);
  }
  await expectFailureAndThenSuccess(page, email, backend, async () => {
    released.resolve();
    await expect.poll(() => backend.database.signup(email)).toBeDefined();
  });
  await lateCallsAreOver(page);
});

test('where every answer is lost after the sign-up was kept, the same form finds that it was', async ({
  page,
  email,
  backend,
}) => {
  await openLandingPage(page);
  let lost = 0;
  let losing = true;
  await routeCalls(page, 'sign-up', async (route) => {
    const response = await carryOut(route, backend);
    if (!losing) return route.fulfill({ response });
    lost += 1;
    await route.abort('connectionreset');
  });
  await submit(page, email);
  await expectFailureAndThenSuccess(page, email, backend, async () => {
    expect(backend.database.signup(email)).toBeDefined();
    losing = false;
  });
  expect(lost).toBeGreaterThan(1);
});

test.describe('a tab that is closed during the request', () => {
  test('before it could leave: the next try signs up', async ({ context, email, backend }) => {
    const page = await context.newPage();
    await openLandingPage(page);
    await context.setOffline(true);
    await submit(page, email);
    await page.close();
    await context.setOffline(false);
    expect(backend.database.signup(email)).toBeUndefined();

    const later = await context.newPage();
    await openLandingPage(later);
    const { success } = await submit(later, email);
    await expect(success).toBeVisible();
    await expectSignedUpOnce(email, backend);
  });

  test('after the store has it: there is one record and one mail, and the next try is told so', async ({
    context,
    email,
    backend,
  }) => {
    const page = await context.newPage();
    await openLandingPage(page);
    const kept = Promise.withResolvers<void>();
    await routeCalls(page, 'sign-up', async (route) => {
      await carryOut(route, backend);
      kept.resolve();
      // The answer never comes.
    });
    await submit(page, email);
    await kept.promise;
    await page.close();

    const later = await context.newPage();
    await openLandingPage(later);
    await submit(later, email);
    await expect(toast(later, DUPLICATE)).toBeVisible();
    await expectSignedUpOnce(email, backend);
  });
});
