import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const APP = 'packages/early-access-server/src/app';
const HTTP = 'packages/early-access-server/src/http';
const CORE = 'packages/early-access-kit/src/core';
const KIB = 1_024;
const UNITS = { SECOND_MS: 1_000, MINUTE_MS: 60_000, HOUR_MS: 3_600_000, DAY_MS: 86_400_000 };

/** Texts that state a limit as `{}`, with the file and name of its constant, and the size of its unit. */
const STATED: readonly (readonly [document: string, text: string, source: string, constant: string, unit?: number])[] =
  [
    ['docs/import.md', 'added {} at a time', `${APP}/import/run-import.ts`, 'BATCH'],
    ['docs/import.md', '| people per file | {} |', `${APP}/import/columns.ts`, 'MAX_IMPORT_LINES'],
    ['docs/import.md', '| columns | {} |', `${APP}/import/columns.ts`, 'MAX_COLUMNS'],
    ['docs/import.md', '| size of a file | {} MB |', `${APP}/import/csv-file.ts`, 'MAX_IMPORT_BYTES', 1_000_000],
    ['docs/import.md', '| length of one line | {} bytes |', `${APP}/import/csv-file.ts`, 'MAX_LINE_BYTES'],
    [
      'docs/import.md',
      '{} seconds in the dashboard',
      `${HTTP}/application/listen.ts`,
      'REQUEST_TIMEOUT_MS',
      UNITS.SECOND_MS,
    ],
    [
      'packages/dashboard/src/api/admin-api.ts',
      'over {} seconds',
      `${HTTP}/application/listen.ts`,
      'REQUEST_TIMEOUT_MS',
      UNITS.SECOND_MS,
    ],
    ['docs/dashboard.md', 'works once, for {} minutes', `${APP}/admin/sign-in.ts`, 'SIGN_IN_MINUTES'],
    ['docs/dashboard.md', 'Select up to {} people', `${APP}/people/people.ts`, 'MAX_BULK'],
    ['docs/dashboard.md', 'at most {} values a day', `${APP}/analytics/analytics.ts`, 'MAX_VALUES_PER_DAY'],
    ['docs/dashboard.md', 'of at least {} seconds', `${APP}/analytics/analytics.ts`, 'ENGAGED_SECONDS'],
    ['docs/dashboard.md', 'within the last {} minutes', `${APP}/analytics/analytics.ts`, 'ACTIVE_MS', UNITS.MINUTE_MS],
    ['docs/dashboard.md', 'asks for a number, at most {}', `${HTTP}/routing/schemas/list.ts`, 'MAX_WAVE'],
    [
      'docs/confirmation.md',
      '{} days later | they get one reminder',
      `${APP}/lifecycle/states.ts`,
      'REMINDER_AFTER_MS',
      UNITS.DAY_MS,
    ],
    [
      'docs/confirmation.md',
      '{} days later | the signup is erased',
      `${APP}/lifecycle/states.ts`,
      'PENDING_MS',
      UNITS.DAY_MS,
    ],
    [
      'docs/privacy-record.md',
      '{} days if they never confirm',
      `${APP}/lifecycle/states.ts`,
      'PENDING_MS',
      UNITS.DAY_MS,
    ],
    [
      'docs/privacy-record.md',
      'after {} days, or with the signup',
      `${APP}/jobs/retention.ts`,
      'DEFAULT_RETENTION_DAYS',
    ],
    ['docs/security-model.md', '{} KiB from pages', `${CORE}/limits.ts`, 'MAX_BODY_BYTES', KIB],
    ['docs/security-model.md', '{} KiB from forms', `${HTTP}/public/signup-form.ts`, 'MAX_FORM_BYTES', KIB],
    ['docs/security-model.md', '{} KiB from the dashboard', `${HTTP}/admin/admin-route.ts`, 'MAX_BYTES', KIB],
    ['docs/security-model.md', '{} KiB from mail', `${HTTP}/public/mail-event-routes.ts`, 'MAX_REPORT_BYTES', KIB],
    ['docs/security-model.md', 'headers {} KiB', `${HTTP}/application/listen.ts`, 'MAX_HEADER_BYTES', KIB],
    ['docs/security-model.md', 'nested {} times', `${APP}/access/read-json.ts`, 'MAX_JSON_DEPTH'],
    ['docs/security-model.md', '{} MB for an imported', `${APP}/import/csv-file.ts`, 'MAX_IMPORT_BYTES', 1_000_000],
    ['docs/security-model.md', 'once, for {} minutes', `${APP}/admin/sign-in.ts`, 'SIGN_IN_MINUTES'],
    ['docs/security-model.md', 'lapses after {} days', `${APP}/lifecycle/states.ts`, 'PENDING_MS', UNITS.DAY_MS],
    ['docs/security-model.md', '{} hours without use', `${APP}/admin/sign-in.ts`, 'SESSION_IDLE_MS', UNITS.HOUR_MS],
    ['docs/security-model.md', 'use and after {} days', `${APP}/admin/sign-in.ts`, 'SESSION_MAX_MS', UNITS.DAY_MS],
    ['docs/security-model.md', '{} days to confirm', `${APP}/mail/message-kinds.ts`, 'CONFIRM_LINK_MS', UNITS.DAY_MS],
    ['docs/security-model.md', '{} for an invitation', `${APP}/mail/message-kinds.ts`, 'INVITE_LINK_MS', UNITS.DAY_MS],
    [
      'docs/security-model.md',
      'remains, for {} days',
      `${APP}/ports/webhook-store.ts`,
      'DELIVERY_LOG_MS',
      UNITS.DAY_MS,
    ],
    ['docs/operate.md', 'At most {} connections', `${HTTP}/application/listen.ts`, 'MAX_CONNECTIONS'],
    ['docs/operate.md', 'attempts an hour ({})', `${APP}/mail/mail-quota.ts`, 'DEFAULT_MAILS_PER_HOUR'],
    ['docs/segments.md', 'at most {} segments', `${APP}/people/segment.ts`, 'MAX_SEGMENTS'],
    ['docs/share.md', 'more than {} confirmed signups', `${APP}/share/share-link.ts`, 'MAX_SHARED_PER_HOUR'],
    ['docs/share.md', 'more than {} with addresses', `${APP}/share/share-link.ts`, 'MAX_SHARED_PER_DOMAIN'],
    ['docs/launch-email.md', 'default of {} an hour', `${APP}/mail/mail-quota.ts`, 'DEFAULT_MAILS_PER_HOUR'],
    ['docs/launch-email.md', 'from 1 to {}', `${APP}/campaigns/campaign.ts`, 'MAX_AFTER_DAYS'],
    ['docs/launch-email.md', 'At most {} messages wait', `${APP}/campaigns/campaign.ts`, 'WINDOW'],
    ['docs/api-keys.md', 'newest {} uses', `${APP}/admin/sign-in.ts`, 'DEFAULT_AUDIT_ENTRIES'],
    ['docs/invites.md', 'at least {} characters', `${APP}/access/secrets.ts`, 'SHORTEST_KEY'],
    ['docs/human-checks.md', 'at most {} characters', `${APP}/human/human-check.ts`, 'MAX_HUMAN_TOKEN_LENGTH'],
    ['docs/fields.md', 'up to {} fields', `${CORE}/field-declarations.ts`, 'MAX_FIELDS'],
    ['docs/fields.md', '{} in total', `${CORE}/field-declarations.ts`, 'MAX_FIELDS_LENGTH'],
    ['docs/fields.md', '{} characters each', `${CORE}/fields.ts`, 'MAX_FIELD_LENGTH'],
    ['docs/fields.md', 'characters, {} if it is left out', `${CORE}/fields.ts`, 'DEFAULT_FIELD_LENGTH'],
    ['docs/fields.md', 'cut to {} characters', `${APP}/mail/email-fields.ts`, 'MAX_EMAIL_VALUE'],
  ];

/** Returns a complaint for each text with a limit other than the code's. */
export function wrongLimits(): string[] {
  return STATED.flatMap(([document, text, source, constant, unit = 1]) => {
    const value = readConstant(source, constant) / unit;
    const expected = text.replace('{}', value.toLocaleString('en'));
    const words = read(document).replaceAll(/\s+/g, ' ');
    return words.includes(expected) ? [] : [`${document} does not say “${expected}”, as ${constant} of ${source}`];
  });
}

/** Returns the value of a constant that is a number, or a product of numbers, time units and the kit's limits. */
function readConstant(source: string, name: string): number {
  const [, factors = ''] = new RegExp(`\\bconst ${name} = ([\\w *]+);`).exec(read(source)) ?? [];
  if (factors === '') throw new Error(`${source} has no number ${name}`);
  return factors.split(' * ').reduce((product, factor) => product * readFactor(factor), 1);
}

function readFactor(factor: string): number {
  if (/^\d/.test(factor)) return Number(factor.replaceAll('_', ''));
  return Object.entries(UNITS).find(([unit]) => unit === factor)?.[1] ?? readConstant(`${CORE}/limits.ts`, factor);
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}
