import { isFirestore } from '../support/calls.ts';
import { DUPLICATE, expect, FAILED, openLandingPage, signupForm, test, toast } from '../support/test.ts';
import { startedVisit } from '../support/visit.ts';

// Only the host can mend what denies every write, so the form says so in the console.
test.use({ expectedComplaints: [/Failed to load resource|^early-access-kit: check firestore\.rules/] });

test('a signed-up address whose response is lost is still reported as registered', async ({
  page,
  email,
  context,
  backend,
}) => {
  await openLandingPage(page);
  const first = signupForm(page, 'hero');
  await first.input.fill(email);
  await first.button.click();
  await expect(first.success).toBeVisible();

  const other = await context.newPage();
  await openLandingPage(other);
  await startedVisit(other, backend.database);
  let attempts = 0;
  await other.route(
    (url) => isFirestore(url.pathname),
    async (route) => {
      attempts += 1;
      const response = await route.fetch();
      if (attempts === 1) await route.abort('connectionreset');
      else await route.fulfill({ response });
    },
  );
  const second = signupForm(other, 'hero');
  await second.input.fill(email);
  await second.button.click();
  await expect(toast(other, DUPLICATE)).toBeVisible();
  await expect(second.success).toBeHidden();
  expect(attempts).toBeGreaterThan(1);
});

test('if every write is denied, no address is reported as registered', async ({ page, email, backend }) => {
  await page.route(
    (url) => isFirestore(url.pathname),
    (route) => route.fulfill({ status: 403, json: { error: { code: 403, status: 'PERMISSION_DENIED' } } }),
  );
  await openLandingPage(page);
  const { input, button } = signupForm(page, 'bottom');
  await input.fill(email);
  await button.click();
  await expect(toast(page, FAILED)).toBeVisible();
  await expect(toast(page, DUPLICATE)).toHaveCount(0);
  expect(await backend.database.signup(email)).toBeUndefined();
});
