import { report } from '@early-access-kit/testkit/fault-runs';
import type { Page } from '@playwright/test';
import type { Backend } from '../support/backend.ts';
import { routeCalls } from '../support/calls.ts';
import { DUPLICATE, expect, FAILED, openLandingPage, SUCCEEDED, signupForm, test, toast } from '../support/test.ts';

/** After this, twice, the form gives up. */
const DEADLINE_MS = 10_000;
/** The rest of the test takes as long as ever. */
const REST_MS = 60_000;

// A page that is closed, or has given up, takes no answer.
test.use({ expectedComplaints: [/Failed to load resource|ERR_/] });

/** What the page had given up is carried out all the same, and must not reach into the next test. */
function lateCallsAreOver(page: Page): Promise<void> {
  return page.unrouteAll({ behavior: 'wait' });
}

/** Signs up on a page whose clock is installed. The form takes nothing that is filled in as fast as by a program. */
async function submitWithClock(page: Page, email: string) {
  const form = signupForm(page, 'hero');
  await form.input.fill(email);
  await page.clock.fastForward(5_000);
  await form.button.click();
  return form;
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

for (const ms of [500, 2_000, 5_000, 9_000]) {
  test(`an answer after ${ms} ms is waited for`, async ({ page, email, backend }) => {
    await page.clock.install();
    await openLandingPage(page);
    let calls = 0;
    const released = Promise.withResolvers<void>();
    await routeCalls(page, 'sign-up', async (route) => {
      calls += 1;
      await released.promise;
      await route.fulfill({ response: await route.fetch() });
    });
    const { button, success } = await submitWithClock(page, email);
    await expect.poll(() => calls).toBe(1);
    await page.clock.fastForward(ms);
    await expect(button).toHaveText('Joining...');
    released.resolve();
    await expect(success).toBeVisible();
    await expectSignedUpOnce(email, backend);
    expect(calls).toBe(1);
    report(`sign-up with ${ms} ms latency`, 'signed up, one record, one mail');
  });
}

for (const late of ['during the second try', 'after that'] as const) {
  test(`a network that takes too long is given up, and what it brings ${late} is no second sign-up`, async ({
    page,
    email,
    backend,
  }) => {
    await page.clock.install();
    await openLandingPage(page);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const isStored = () => expect.poll(() => backend.database.signup(email)).toBeDefined();
    let calls = 0;
    await routeCalls(page, 'sign-up', async (route) => {
      calls += 1;
      await [first, second][calls - 1]?.promise;
      const response = await route.fetch();
      await route.fulfill({ response }).catch(() => {});
    });
    await submitWithClock(page, email);
    await expect.poll(() => calls).toBe(1);
    await page.clock.fastForward(DEADLINE_MS);
    await expect.poll(() => calls).toBe(2);
    if (late === 'during the second try') {
      first.resolve();
      await isStored();
    }
    await page.clock.fastForward(DEADLINE_MS);
    await expectFailureAndThenSuccess(page, email, backend, async () => {
      first.resolve();
      second.resolve();
      await isStored();
    });
    await lateCallsAreOver(page);
    report(`sign-up that is stored ${late}`, 'told of the failure, then signed up, one record, one mail');
  });
}

test('where every answer is lost after the sign-up was kept, the same form finds that it was', async ({
  page,
  email,
  backend,
}) => {
  await openLandingPage(page);
  let lost = 0;
  let losing = true;
  await routeCalls(page, 'sign-up', async (route) => {
    const response = await route.fetch();
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
      await route.fetch();
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
