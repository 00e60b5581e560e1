import { freePort } from '@early-access-kit/testkit/http-server';
import { startSelfHosted } from './support/backend.ts';
import { signInByLink } from './support/sign-in.ts';
import { ADMIN_EMAIL, expect, test } from './support/test.ts';

// Learning that there is no session, and a passkey that does not work.
test.use({ expectedComplaints: [/40[01] \(/] });

/** Passkeys are bound to the origin of `PUBLIC_URL`, so the server must run there. */
async function chooseAddress() {
  const port = await freePort();
  return { PORT: `${port}`, PUBLIC_URL: `http://localhost:${port}` };
}

test('the admin adds a passkey, signs in with it, and by a link once it is lost', {
  tag: '@main',
}, async ({ browser, contextOptions }) => {
  const backend = await startSelfHosted(await chooseAddress());
  const admin = await (await browser.newContext(contextOptions)).newPage();
  const { origin } = backend.server;
  const cdp = await admin.context().newCDPSession(admin);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  await signInByLink(admin, origin, backend.mailbox, ADMIN_EMAIL);
  await admin.getByRole('link', { name: 'Settings' }).click();
  await admin.getByRole('button', { name: 'Add passkey' }).click();
  await expect(admin.getByLabel('Name')).toBeFocused();
  await admin.keyboard.type('Laptop');
  await admin.keyboard.press('Enter');
  await expect(admin.getByText('Passkey added.')).toBeVisible();

  await admin.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await admin.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(admin.getByRole('button', { name: 'Rename Laptop…' })).toBeVisible();
  await admin.getByRole('button', { name: 'Remove Laptop…' }).click();
  await admin.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(admin.getByText('Passkey removed.')).toBeVisible();
  // The session continues, but the device's copy of the passkey no longer signs in.
  await admin.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await admin.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(admin.getByText(/^this passkey was removed/i)).toBeVisible();
  await signInByLink(admin, origin, backend.mailbox, ADMIN_EMAIL);
  await admin.context().close();
  await backend.close();
});
