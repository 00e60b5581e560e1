import type { DeliveryResult } from '../ports/mail-transport.ts';

/** The first expression that matches the transport's reason selects the text. */
const EXPLANATIONS: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EDNS|EAI_AGAIN/, 'The mail server cannot be found. Check the name of the server in SMTP_URL.'],
  [/ECONNREFUSED/, 'The mail server refuses connections. Check the server and the port in SMTP_URL.'],
  [
    /ETIMEDOUT|TIMEOUT|EHOSTUNREACH|ENETUNREACH/,
    'The mail server did not respond in time. Check the server and the port in SMTP_URL, and whether a firewall blocks the port.',
  ],
  [
    /ETLS|CERT|SELF_SIGNED|EPROTO|SSL/,
    'The connection to the mail server could not be encrypted: its certificate is not trusted, or it does not offer TLS on this port. Use smtps:// for port 465 and smtp:// for port 587.',
  ],
  [
    /EAUTH|^53[0458]\b|offers no sign-in/,
    'The mail server refused the sign-in. Check the user name and the password in SMTP_URL.',
  ],
  [
    /\(MAIL FROM\)|sender address/,
    'The mail server refused the sender. Check that MAIL_FROM is an address that this server may send from.',
  ],
  [
    /\(RCPT TO\)|cannot be written/,
    'The mail server refused the recipient. Check that your address in ADMIN_EMAIL can receive emails.',
  ],
  [
    /^4\d\d\b/,
    'The mail server refused the email for now. Try again in a few minutes; some servers accept an unknown sender only the second time.',
  ],
  [/^5\d\d\b/, 'The mail server refused the email.'],
  [
    /file could not be written/,
    'The email could not be written to the mail folder. Check the disk and the rights of DATA_DIR.',
  ],
];

/** Explains the outcome of a delivery in plain words, with advice. */
export function explainDelivery(result: DeliveryResult, writesFiles: boolean): string {
  if (result.outcome === 'sent') {
    return writesFiles
      ? 'The email was written to the mail folder. Set SMTP_URL to send emails.'
      : 'The mail server accepted the email. If it does not arrive within minutes, look into the spam folder.';
  }
  if (result.outcome === 'unknown') {
    return `The connection was lost after the email had been handed over, so it may or may not arrive (${result.reason}).`;
  }
  const known = EXPLANATIONS.find(([sign]) => sign.test(result.reason))?.[1];
  return `${known ?? 'The mail server did not accept the email.'} (${result.reason})`;
}
