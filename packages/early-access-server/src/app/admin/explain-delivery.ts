import { ABOUT_OUR_ACCOUNT } from '../mail/classify-reply.ts';
import type { DeliveryResult } from '../ports/mail-transport.ts';

type Explanations = readonly (readonly [RegExp, string])[];

/** Problems on our side, which affect all recipients. The first matching expression selects the text. */
const OUR_PROBLEMS: Explanations = [
  [/^\D*(?:ENOTFOUND|EDNS|EAI_AGAIN)/, 'The mail server cannot be found. Check the name of the server in SMTP_URL.'],
  [/^\D*ECONNREFUSED/, 'The mail server refuses connections. Check the server and the port in SMTP_URL.'],
  [
    /^\D*(?:TIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH)/,
    'The mail server did not respond in time. Check the server and the port in SMTP_URL, and whether a firewall blocks the port.',
  ],
  [
    /^\D*(?:ETLS|CERT|SELF_SIGNED|EPROTO|SSL)/,
    'The connection to the mail server could not be encrypted: its certificate is not trusted, or it does not offer TLS on this port. Use smtps:// for port 465 and smtp:// for port 587.',
  ],
  [
    /^\D*EAUTH|^53[0458]\b|offers no sign-in/,
    'The mail server refused the sign-in. Check the user name and the password in SMTP_URL.',
  ],
  [
    ABOUT_OUR_ACCOUNT,
    'The provider does not let this account send to everyone. Verify the domain of MAIL_FROM, and ask the provider what the account needs.',
  ],
  [
    /relay/i,
    'The mail server does not accept emails to other domains from this account. Check the user name and the password in SMTP_URL, and that the account may still send.',
  ],
  [
    /block(?:ed using|ed by|[ -]?list)|black ?list|spamhaus|spamcop|\b(?:dns|r)bl\b|your ip\b|ip address/i,
    'The network address of the sending server is on a blocklist. Ask the list that the reply names to remove it, or send through another mail provider.',
  ],
  [
    /quota|limit|too many/i,
    'The account has reached its sending limit. Set MAILS_PER_HOUR below the provider’s limit, or raise that limit at the provider.',
  ],
  [
    /dmarc|\bspf\b|\bdkim\b|unauthenticated|5\.7\.26/i,
    'The domain of MAIL_FROM does not allow this mail server to send for it. Publish the SPF and DKIM records that the provider names.',
  ],
  [
    /\(MAIL FROM\)|\bsender\b|send as|5\.1\.[78]\b/i,
    'The mail server refused the sender. Check that MAIL_FROM is an address that this server may send from.',
  ],
  [
    /^5.*(?:\bspam\b|unsolicited)/i,
    'The mail server considers the emails spam. Check what they say, and that SPF, DKIM and DMARC are set up for the domain of MAIL_FROM.',
  ],
];

const OTHERS: Explanations = [
  [
    /^5.*\(RCPT TO\)|cannot be written/,
    'The mail server refused the recipient. Check that your address in ADMIN_EMAIL can receive emails.',
  ],
  [/^421\b/, 'The mail server accepts no emails right now. Try again in a few minutes.'],
  [
    /^4\d\d\b/,
    'The mail server refused the email for now. Try again in a few minutes; some servers accept an unknown sender only the second time.',
  ],
  [/^5\d\d\b/, 'The mail server refused the email.'],
  [
    /file could not be written/,
    'The email could not be written to the mail folder. Check the disk and the permissions of DATA_DIR.',
  ],
];

function explain(reason: string, explanations: Explanations): string | undefined {
  return explanations.find(([sign]) => sign.test(reason))?.[1];
}

export function adviseAboutPause(reason: string): string {
  return (
    explain(reason, OUR_PROBLEMS) ??
    'Send yourself a test email to find out if the server accepts any, and ask the provider of the mail server what the reply means.'
  );
}

export function explainDelivery(result: DeliveryResult, writesFiles: boolean): string {
  if (result.outcome === 'sent') {
    return writesFiles
      ? 'The email was written to the mail folder. Set SMTP_URL to send emails.'
      : 'The mail server accepted the email. If it does not arrive within minutes, check the spam folder.';
  }
  if (result.outcome === 'unknown') {
    return `The connection was lost after the email had been sent, so it may or may not arrive (${result.reason}).`;
  }
  const known = explain(result.reason, [...OUR_PROBLEMS, ...OTHERS]);
  return `${known ?? 'The mail server did not accept the email.'} (${result.reason})`;
}
