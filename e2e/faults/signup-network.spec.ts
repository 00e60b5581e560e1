import { report } from '@early-access-kit/testkit/fault-runs';
import type { Page } from '@playwright/test';
import type { Backend } from '../support/backend.ts';
import { routeCalls } from '../support/calls.ts';
import {
  DUPLICATE,
  expect,
  expectMailSent,
  FAILED,
  openLandingPage,
  SUCCEEDED,
  signupForm,
  test,
  toast,
} from '../support/test.ts';

/** The deadline of one attempt. The form gives up after two. */
const DEADLINE_MS = 10_000;

// Requests of a page that was closed or gave up fail.
test.use({ expectedComplaints: [/Failed to load resource|ERR_/] });

/** Waits for requests that the page gave up on, so that they do not affect the next test. */
function waitForLateCalls(page: Page): Promise<void> {
  return page.unrouteAll({ behavior: 'wait' });
}

/**
 * Signs up on a page whose clock is stopped, so that a slow machine does not exceed a deadline. The clock is set some
 * seconds ahead, because the form rejects input that is too fast.
 */
async function submitAndStopClock(page: Page, email: string) {
  const form = signupForm(page, 'hero');
  await form.input.fill(email);
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.button.click();
  return form;
}

/** Waits for calls of a page with a stopped clock. A call is sent by a timer. */
function expectCalls(page: Page, count: () => number, expected: number): Promise<void> {
  return expect
    .poll(async () => {
      await page.clock.runFor(1);
      return count();
    })
    .toBe(expected);
}

async function submit(page: Page, email: string) {
  const form = signupForm(page, 'hero');
  await form.input.fill(email);
  await form.button.click();
  return form;
}

/** Expects exactly one signup and one message for the address. */
async function expectSignedUpOnce(email: string, { database, mailbox }: Backend): Promise<void> {
  await mailbox.waitForMail(email);
  await expectMailSent({ database }, email);
  expect(await database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
  expect(mailbox.mailsTo(email)).toHaveLength(1);
}

/** Expects an error and the address still in the form, then success once the network works again. */
async function expectFailureAndThenSuccess(
  page: Page,
  email: string,
  backend: Backend,
  restore: () => Promise<unknown>,
) {
  const { input, button, success } = signupForm(page, 'hero');
  await expect(toast(page, FAILED)).toBeVisible();
  await expect(success).toBeHidden();
  await expect(input).toHaveValue(email);
  await restore();
  await button.click();
  await expect(success).toBeVisible();
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  await expectSignedUpOnce(email, backend);
}

test('the form waits for a response that takes nine seconds', async ({ page, email, backend }) => {
  await page.clock.install();
  await openLandingPage(page);
  let calls = 0;
  const released = Promise.withResolvers<void>();
  await routeCalls(page, 'signup', async (route) => {
    calls += 1;
    await released.promise;
    await route.continue();
  });
  const { button, success } = await submitAndStopClock(page, email);
  await expectCalls(page, () => calls, 1);
  await page.clock.fastForward(9_000);
  await expect(button).toHaveText('Joining...');
  released.resolve();
  await expect(success).toBeVisible();
  await expectSignedUpOnce(email, backend);
  expect(calls).toBe(1);
  report('signup with 9 s latency', 'succeeded, one record, one message');
});

for (const late of ['during the second attempt', 'after the second attempt'] as const) {
  test(`the form gives up on a slow network, and a request that arrives ${late} is not a second signup`, async ({
    page,
    email,
    backend,
  }) => {
    await page.clock.install();
    await openLandingPage(page);
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const isStored = () => expect.poll(() => backend.database.signup(email)).toBeDefined();
    let calls = 0;
    await routeCalls(page, 'signup', async (route) => {
      calls += 1;
      await [first, second][calls - 1]?.promise;
      const response = await route.fetch();
      await route.fulfill({ response }).catch(() => {});
    });
    await submitAndStopClock(page, email);
    await expectCalls(page, () => calls, 1);
    await page.clock.fastForward(DEADLINE_MS);
    await expectCalls(page, () => calls, 2);
    if (late === 'during the second attempt') {
      first.resolve();
      await isStored();
    }
    await page.clock.fastForward(DEADLINE_MS);
    await expectFailureAndThenSuccess(page, email, backend, async () => {
      first.resolve();
      second.resolve();
      await isStored();
      await page.clock.resume();
    });
    await waitForLateCalls(page);
    report(`signup that is stored ${late}`, 'reported as failed, then succeeded, one record, one message');
  });
}

test('if every response is lost after the signup was stored, the same form succeeds on the next attempt', async ({
  page,
  email,
  backend,
}) => {
  await openLandingPage(page);
  let lost = 0;
  let losing = true;
  await routeCalls(page, 'signup', async (route) => {
    const response = await route.fetch();
    if (!losing) return route.fulfill({ response });
    lost += 1;
    await route.abort('connectionreset');
  });
  await submit(page, email);
  await expectFailureAndThenSuccess(page, email, backend, async () => {
    expect(await backend.database.signup(email)).toBeDefined();
    losing = false;
  });
  expect(lost).toBeGreaterThan(1);
});

test('a tab that is closed during the request after it was stored: there is one record and one message, and the next attempt is a duplicate', async ({
  context,
  email,
  backend,
}) => {
  const page = await context.newPage();
  await openLandingPage(page);
  const stored = Promise.withResolvers<void>();
  await routeCalls(page, 'signup', async (route) => {
    await route.fetch();
    stored.resolve();
    // Never responds.
  });
  await submit(page, email);
  await stored.promise;
  await page.close();

  const later = await context.newPage();
  await openLandingPage(later);
  await submit(later, email);
  await expect(toast(later, DUPLICATE)).toBeVisible();
  await expectSignedUpOnce(email, backend);
});
