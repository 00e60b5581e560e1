import { MAX_RAW_EMAIL_LENGTH } from 'early-access-kit/internal';
import * as z from 'zod';
import { ROLES } from '../../../app/access/roles.ts';
import { type FirstStep, STEP_STATES } from '../../../app/admin/first-steps.ts';
import { COMPLAINT_LEVELS } from '../../../app/mail/complaints.ts';
import { MESSAGE_KINDS } from '../../../app/mail/message-kinds.ts';
import { MAIL_STATES, UNKNOWN_DECISIONS } from '../../../app/mail/message-state.ts';
import { type AdminSettings, AUDIT_ACTIONS, type AuditEntry, SIGNUP_NOTICES } from '../../../app/ports/admin-store.ts';
import { FIELD_TYPES } from '../../../app/signup/fields.ts';
import { SIGNUP_REFUSALS } from '../../../app/signup/signup-refusals.ts';
import { count, createEnum, flag, type Output, record, text, time, wholeNumberParam } from '../openapi/schema.ts';

const MAX_ZONE_LENGTH = 100;

export const signInRequest = z.object({ email: text(MAX_RAW_EMAIL_LENGTH) });
export const idBody = z.object({ id: text(100) });

const zoneError = 'must be the name of a time zone such as Europe/Berlin';
/** A time zone that this runtime supports, converted to its canonical name. */
const timeZone = text(MAX_ZONE_LENGTH).transform((name, context) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    context.addIssue({ code: 'custom', message: zoneError });
    return z.NEVER;
  }
});

const settings = {
  time_zone: timeZone.nullable().describe("An IANA time zone such as `Europe/Berlin`; null for the browser's."),
  weekly_email: flag(),
  signup_notices: createEnum(SIGNUP_NOTICES).describe('When an email about new signups is sent.'),
};
const adminSettings = record<AdminSettings>()('AdminSettings', settings);
/** Fields that are left out are not changed. */
export const settingsChange = z.object({
  time_zone: settings.time_zone.exactOptional(),
  weekly_email: settings.weekly_email.exactOptional(),
  signup_notices: settings.signup_notices.exactOptional(),
});

export const sessionResponse = z.object({
  email: z.string(),
  id: z.string(),
  role: z.enum(ROLES),
  is_owner: z.boolean().describe('Whether `ADMIN_EMAIL` names them, so that no one can remove them.'),
  settings: adminSettings,
  fields: z
    .array(
      z.object({
        name: z.string(),
        label: z.string(),
        type: z.enum(FIELD_TYPES),
        choices: z.array(z.object({ value: z.string(), label: z.string() })),
        is_consent: z.boolean(),
      }),
    )
    .describe('The fields of the form besides the address, in its order.'),
});
export type SessionResponse = Output<typeof sessionResponse>;

export const sessionList = z.object({
  sessions: z.array(
    z.object({
      id: z.string(),
      email: z.string(),
      created_at: time,
      last_used_at: time,
      device: z.string().describe('Such as `Firefox on Windows`.'),
      current: z.boolean().describe('Whether it is the session of this request.'),
      can_end: z.boolean().describe('Whether the caller may sign it out.'),
    }),
  ),
});
export type SessionsResponse = Output<typeof sessionList>;

export const mailQuery = z.object({
  kind: createEnum(MESSAGE_KINDS).describe('Which messages `unsent` lists; all by default.').optional(),
});
const unsentMail = z.object({
  id: z.string(),
  email: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  state: z.enum(MAIL_STATES),
  attempts: count,
  nextAttemptAt: time,
  reason: z.string().nullable(),
});
export const unknownQuery = z.object({
  campaign: text(100).describe('The id of a campaign; every email by default.').optional(),
});
export const unknownMail = z.object({ messages: z.array(unsentMail).describe('At most 100.') });
export type UnknownMailResponse = Output<typeof unknownMail>;
export const unknownDecision = z.object({ decision: createEnum(UNKNOWN_DECISIONS) });

export const mailOverview = z.object({
  counts: z.object({ queued: count, sending: count, sent: count, failed: count, unknown: count }),
  transport: z.enum(['smtp', 'files']).nullable().describe('Null: emails are not sent.'),
  quota: z.object({ per_hour: count, spent_until: time.nullable() }),
  waiting: z
    .object({
      due: count.describe('Can be sent now, unless the quota is used up or the queue is paused.'),
      planned: count.describe('Are tried again later, or wait for a mailbox that is full.'),
      planned_at: time.nullable().describe('When the first of these is tried.'),
      of_paused_campaigns: count,
    })
    .describe('The queued messages by what they wait for.'),
  pause: z
    .object({
      since: time,
      until: time.describe('Then one message is tried, and the others follow if it is accepted.'),
      refusals: count.describe('In a row.'),
      reason: z.string().describe('What the mail server said.'),
      advice: z.string(),
    })
    .nullable()
    .describe('The mail server refuses messages for a reason that is ours.'),
  trouble: z
    .object({
      kind: z
        .enum(['unreachable', 'recipient-refused'])
        .describe('It cannot be reached, or it has refused the last recipient for a reason that may be ours.'),
      since: time,
      reason: z.string().describe('What the mail server said, or why it cannot be reached.'),
      advice: z.string(),
    })
    .nullable()
    .describe('What the last attempts say about the mail server while the queue is not paused.'),
  complaints: z
    .object({
      since: time,
      emails: count,
      complaints: count,
      level: z.enum(COMPLAINT_LEVELS).describe('`high`: above 0.1 percent. `too-high`: above 0.3; campaigns pause.'),
    })
    .describe(
      'Emails to people since then, and those that they reported as spam. Fewer than 1,000 emails count as 1,000.',
    ),
  next_due_at: time
    .nullable()
    .describe('The next attempt, with the quota, the pause and a server that cannot be reached.'),
  unsent: z.array(unsentMail).describe('At most 100.'),
});
export type MailResponse = Output<typeof mailOverview>;

export const testMailResult = z.object({ outcome: z.enum(['sent', 'refused', 'unknown']), explanation: z.string() });
export type TestMailResponse = Output<typeof testMailResult>;

const stepState = z.enum(STEP_STATES);

export const health = z.object({
  version: z.string(),
  store: z.enum(['sqlite', 'firestore', 'postgres', 'other']),
  database_bytes: count.nullable(),
  disk_free_bytes: count.nullable(),
  last_backup_at: time.nullable(),
  retention_days: count.nullable(),
  limits_hit: z.record(z.string(), count).describe('How often each rate limit refused a request since the start.'),
  signups_refused: z
    .partialRecord(z.enum(SIGNUP_REFUSALS), count)
    .describe('How many signups were refused since the start: for a mistake of their page, or for their address.'),
  issues: z.array(z.object({ severity: z.enum(['error', 'warning']), message: z.string() })),
});
export type HealthResponse = Output<typeof health>;

export const firstStepsResponse = z.object({
  store: health.shape.store,
  site_url: z.string().describe('Where links in emails lead.'),
  steps: z
    .object({ sender: stepState, form: stepState, signup: stepState, backup: stepState } satisfies Record<
      FirstStep,
      typeof stepState
    >)
    .describe('`elsewhere`: the database has backups of its own, of which the server knows nothing.'),
});
export type FirstStepsResponse = Output<typeof firstStepsResponse>;

export const auditQuery = z.object({ limit: wholeNumberParam(1, 1_000).default(200) });
const auditEntry = record<AuditEntry>()('AuditEntry', {
  at: time,
  session: z.string().describe('The id of the session of the admin, or of the API key.'),
  action: z.enum(AUDIT_ACTIONS),
  count: count.describe('How many people or sessions it concerned.'),
  admin: z.string().exactOptional().describe("The admin's address. Uses of API keys have none."),
  api_key: z
    .string()
    .exactOptional()
    .describe('The name of the API key or overview link that was used, created or revoked.'),
  route: z.string().exactOptional().describe('The route that an API key was used for.'),
  member: z.string().exactOptional().describe('The address of the member of the team whom it concerned.'),
  filter: z
    .string()
    .exactOptional()
    .describe('Whom an export or an action on all was about, in words. Left out: everyone, or it was not about many.'),
});
export const auditLog = z.object({ entries: z.array(auditEntry).describe('The newest first.') });

const color = z.string().optional();
export const brandResponse = z.object({
  name: z.string(),
  colors: z.object({ accent: color, background: color }),
  radius: z.number().optional().describe('Of buttons and fields, in pixels.'),
  mark: z.string().optional().describe('The path of the symbol before the name.'),
  font: z
    .object({ families: z.string(), path: z.string(), weights: z.string() })
    .optional()
    .describe('The typeface: its families, separated by commas, and the path and the weights of the file.'),
});
export type BrandResponse = Output<typeof brandResponse>;

export const ping = z.object({ status: z.enum(['ok', 'unavailable']) });
