import { expect, it } from 'vitest';
import { adviseAboutPause, explainDelivery } from './explain-delivery.ts';

it.each([
  ['ENOTFOUND', 'cannot be found. Check the name of the server in SMTP_URL.'],
  ['ECONNREFUSED', 'refuses connections. Check the server and the port'],
  ['ETIMEDOUT', 'did not respond in time. Check the server and the port in SMTP_URL, and whether a firewall'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'could not be encrypted: its certificate is not trusted'],
  ['EAUTH', 'refused the sign-in. Check the user name and the password'],
  ['530 5.7.0', 'refused the sign-in'],
  ['535 5.7.8', 'refused the sign-in'],
  ['the mail server offers no sign-in', 'refused the sign-in'],
  ['550 5.7.1 (MAIL FROM)', 'refused the sender. Check that MAIL_FROM'],
  ['554 5.7.1 <[address]>: Relay access denied (RCPT TO)', 'does not accept emails to other domains from this account'],
  ['550 5.7.1 client [203.0.113.7] blocked using zen.spamhaus.org (RCPT TO)', 'is on a blocklist'],
  ['550 5.4.5 Daily user sending quota exceeded (DATA)', 'has reached its sending limit. Set MAILS_PER_HOUR'],
  ['550 5.7.26 Unauthenticated email due to DMARC policy (DATA)', 'Publish the SPF and DKIM records'],
  ['554 Message rejected: Email address is not verified (DATA)', 'Verify the domain of MAIL_FROM'],
  ['550 Only testing emails to your own address are possible (DATA)', 'does not let this account send to everyone'],
  ['554 Sending paused for this account (DATA)', 'does not let this account send to everyone'],
  ['550 5.1.8 <[address]>: Sender address rejected (RCPT TO)', 'refused the sender'],
  ['550 5.7.1 likely unsolicited mail (DATA)', 'considers the emails spam'],
  ['421 4.3.2 Service shutting down (CONN)', 'accepts no emails right now. Try again in a few minutes'],
  ['550 5.1.1 (RCPT TO)', 'refused the recipient. Check that your address in ADMIN_EMAIL'],
  ['451 4.3.0', 'refused the email for now. Try again'],
  ['452 535 bytes are free', 'refused the email for now'],
  ['554 5.7.1', 'The mail server refused the email.'],
  ['531 5.7.9', 'The mail server refused the email.'],
  [
    'the file could not be written: ENOSPC',
    'could not be written to the mail folder. Check the disk and the permissions',
  ],
  ['ESOCKET 450', 'The mail server did not accept the email.'],
  ['ESOCKET 550', 'The mail server did not accept the email.'],
  ['5xx', 'The mail server did not accept the email.'],
])('%s: %s', (reason, explanation) => {
  const text = explainDelivery({ outcome: 'refused', refusal: 'later', reason }, false);
  expect(text).toContain(explanation);
  expect(text.endsWith(` (${reason})`)).toBe(true);
});

it('advises about the problem that pauses the queue, and never about a recipient', () => {
  expect(adviseAboutPause('554 5.7.1 Relay access denied (RCPT TO)')).toContain('SMTP_URL');
  expect(adviseAboutPause('550 policy (RCPT TO)')).toContain('Send yourself a test email');
});

it('says where an email went, and when that is unknown', () => {
  expect(explainDelivery({ outcome: 'sent' }, true)).toBe(
    'The email was written to the mail folder. Set SMTP_URL to send emails.',
  );
  expect(explainDelivery({ outcome: 'sent' }, false)).toContain('check the spam folder');
  expect(explainDelivery({ outcome: 'unknown', reason: 'ECONNRESET' }, false)).toMatch(
    /^The connection was lost .* may or may not arrive \(ECONNRESET\)\.$/,
  );
});
