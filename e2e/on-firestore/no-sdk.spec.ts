import { isFirestore } from '../support/calls.ts';
import { expect, openLandingPage, signupForm, test } from '../support/test.ts';
import { startedVisit } from '../support/visit.ts';

test('a session and a signup load no Firebase SDK and only call Firestore and the site', async ({
  page,
  email,
  backend: { server, database, mailbox },
}) => {
  const elsewhere: string[] = [];
  const scripts: Promise<string>[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(server.origin)) elsewhere.push(request.url());
  });
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) scripts.push(response.text());
  });
  await openLandingPage(page);
  await startedVisit(page, database);
  const { input, button, success } = signupForm(page, 'hero');
  await input.fill(email);
  await button.click();
  await expect(success).toBeVisible();
  await mailbox.waitForMail(email);

  const code = (await Promise.all(scripts)).join('\n');
  expect(code).toContain('updateTransforms');
  expect(code).not.toMatch(/initializeApp|recaptcha|@firebase/i);
  expect(elsewhere.some(isFirestore)).toBe(true);
  expect(elsewhere.filter((url) => !isFirestore(url))).toEqual([]);
});
