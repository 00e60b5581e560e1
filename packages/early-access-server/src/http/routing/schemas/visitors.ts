import {
  type AnalyticsSummary,
  BROWSERS,
  checkValue,
  DEVICE_TYPES,
  explainProblem,
  FIELD_NAME,
  type FieldDeclaration,
  type FieldDeclarations,
  HONEYPOT_FIELD,
  type Inbox,
  isId,
  isValidEmail,
  MAX_LENGTH,
  MAX_RAW_EMAIL_LENGTH,
  MAX_TOTAL,
  OPERATING_SYSTEMS,
  optionValues,
  type SharedLink,
} from 'early-access-kit/internal';
import * as z from 'zod';
import { MAX_HUMAN_TOKEN_LENGTH } from '../../../app/human/human-check.ts';
import { PERSON_STATES } from '../../../app/lifecycle/states.ts';
import { NEW_LINK_PAGES } from '../../../app/mail/message-kinds.ts';
import type { PersonStatus } from '../../../app/people/status.ts';
import type { ConfirmResult, InviteState } from '../../../app/ports/list-store.ts';
import type { PageShare } from '../../../app/share/describe-share.ts';
import { DEFAULT_SOURCE } from '../../../app/signup/read-signup.ts';
import { createEnum, flag, record, rule, text, wholeNumber } from '../openapi/schema.ts';

/**
 * The input of visitors' pages, as core's parsers read it, with the same limits and lists. A property test checks that
 * both accept the same values. The routes use the parsers, like the browser and the stores.
 */

const END_OF_TIME = 253_402_300_799_999;

/** No control characters and no lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const STORABLE = /^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u;

export function storable(maxLength: number) {
  const unit = 'characters without control characters';
  return text(maxLength, unit).regex(STORABLE, rule(`must be text of at most ${maxLength} ${unit}`));
}

const idRule = rule('must be 8 to 64 letters, digits, "-" or "_", and not start and end with "__"');
/** The pattern is only for the document; `isId` decides. */
const id = z
  .string(idRule)
  .regex(/^[\w-]{8,64}$/, idRule)
  .refine(isId, idRule);
const time = wholeNumber(0, END_OF_TIME).describe('Epoch milliseconds.');
const utm = storable(MAX_LENGTH.utm).exactOptional();
/** The campaign of a signup or session. Unknown fields are dropped. */
export const campaign = { utm_source: utm, utm_medium: utm, utm_campaign: utm, utm_term: utm, utm_content: utm };
const referrer = storable(MAX_LENGTH.referrer).nullish().describe('The page that linked the visitor here.');

const emailRule = rule('must be a valid email address');
export const email = z
  .string(emailRule)
  .max(MAX_RAW_EMAIL_LENGTH, emailRule)
  .refine(isValidEmail, emailRule)
  .describe('An email address. It is stored and compared in lower case.');

/** `fields`: the host's own form fields. `checksHumans`: a signup needs the token of a human check. */
export function signup(fields: FieldDeclarations, checksHumans: boolean) {
  return z
    .object({
      email,
      session_id: id.nullish().describe('The session in which the visitor signs up.'),
      source: storable(MAX_LENGTH.source)
        .exactOptional()
        .describe(
          `Where the form is on the site: \`landing_page\` for the landing page. Default: \`${DEFAULT_SOURCE}\`.`,
        ),
      referrer,
      submission_id: id
        .exactOptional()
        .describe(
          'A UUID created for this address. Repeating it is a retry, and returns the current state of the signup.',
        ),
      page_url: storable(MAX_LENGTH.page_url)
        .optional()
        .describe('The page with the form, without query and fragment.'),
      ...campaign,
      lang: z
        .string()
        .optional()
        .catch(undefined)
        .describe(
          'The language of the page, as a BCP 47 tag. Default: that of the browser. Its primary tag is stored, for segments.',
        ),
      ...signupFields(fields).shape,
      ...(checksHumans && {
        human_token: text(MAX_HUMAN_TOKEN_LENGTH).describe('The token of the form’s human check. It works once.'),
      }),
    })
    .meta({ id: 'Signup' });
}

/** Signup fields set by the page: errors in them are the page's, not the visitor's. */
export function signupFields(fields: FieldDeclarations) {
  return z.object({ fields: fieldValues(fields).optional() });
}

const MAX_NAMES = 3;

/** The error for fields that were sent but not declared. Only contains names, because other text could be private. */
function explainUndeclared(sent: readonly string[]): string {
  const names = sent.filter((name) => FIELD_NAME.test(name)).slice(0, MAX_NAMES);
  const fix = `declare ${names.join(', ')} on the server, too, or remove the field from the form`;
  return `must only contain declared fields${names.length === 0 ? '' : `: ${fix}`}`;
}

function fieldValues(declarations: FieldDeclarations) {
  const shape = Object.fromEntries(
    Object.entries(declarations).map(([name, field]) => {
      const value = z.unknown().check(({ value, issues }) => {
        const checked = checkValue(field, value);
        if ('problem' in checked) {
          issues.push({ code: 'custom', input: value, message: explainProblem(field, checked.problem) });
        }
      });
      return [name, (field.required ? value : value.optional()).meta(describeField(field))];
    }),
  );
  const error: z.core.$ZodErrorMap = (issue) =>
    issue.code === 'unrecognized_keys' ? explainUndeclared(issue.keys) : 'must be an object';
  return z.strictObject(shape, { error }).describe('The values of the declared fields. Empty ones may be left out.');
}

/** The normal form of a value. The routes also accept what forms without scripts send, such as `on`. */
function describeField(field: FieldDeclaration): z.core.GlobalMeta {
  const description = field.label;
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'url':
    case 'tel':
      return { description, type: 'string' };
    case 'date':
      return { description, type: 'string', format: 'date' };
    case 'number':
      return { description, type: ['string', 'number'] };
    case 'choices':
      return { description, type: 'array', items: { type: 'string', enum: [...optionValues(field)] } };
    case 'select':
      return { description, enum: [...optionValues(field), ...(field.required ? [] : [''])] };
    case 'checkbox':
      return { description, type: field.consent ? 'string' : 'boolean' };
  }
}

const successUrl = z
  .string()
  .optional()
  .describe('The page to open after a success. Its origin must be allowed to use the API or to show the form.');

/** The form for browsers without scripts. The result page explains every error. */
export const signupForm = z.object({
  email: z.string(),
  source: z.string().optional(),
  lang: z.string().optional().describe('The language of the page that responds.'),
  success_url: successUrl,
  [HONEYPOT_FIELD]: z.string().optional().describe('Hidden from people. Nothing is stored if it has a value.'),
});

/** The query of a hosted form, and of its form's `action`. Unknown values are ignored. */
export const hostedFormQuery = z.object({
  key: z.string().optional().describe('A form key of FORM_KEYS.'),
  lang: z.string().optional().describe("The language, before those of the browser's Accept-Language."),
  theme: z
    .string()
    .optional()
    .describe("`light` or `dark`: the colors of `/form`. By default the visitor's system decides."),
  success_url: successUrl,
  page: z.string().optional().describe('In the `action` only: `join` or `form`, the page that the form is on.'),
});

export const start = {
  visitor_id: id.describe('The same for each session of a browser.'),
  session_start: time,
  referrer,
  user_agent: storable(MAX_LENGTH.user_agent),
  device_type: createEnum(DEVICE_TYPES),
  browser: createEnum(BROWSERS),
  os: createEnum(OPERATING_SYSTEMS),
  is_returning_visitor: flag(),
  total_sessions: wholeNumber(1, MAX_TOTAL.total_sessions).describe('Sessions of this visitor, including this one.'),
  landing_path: storable(MAX_LENGTH.landing_path)
    .exactOptional()
    .describe('The path of the page that the session started on, without query and fragment.'),
  ...campaign,
};

export const sessionStart = z.object({ id, ...start }).meta({ id: 'SessionStart' });

export const totals = {
  page_count: wholeNumber(1, MAX_TOTAL.page_count),
  total_duration: wholeNumber(0, MAX_TOTAL.total_duration).describe('Seconds during which the page was visible.'),
  max_scroll_depth: wholeNumber(0, MAX_TOTAL.max_scroll_depth).describe('Percent of the page that was seen.'),
  click_count: wholeNumber(0, MAX_TOTAL.click_count),
};
export const sessionUpdate = z
  .object({
    ...start,
    session_end: time.nullish().describe('When the page was last left or hidden, in epoch milliseconds.'),
    ...totals,
    page_path: storable(MAX_LENGTH.page_path)
      .exactOptional()
      .describe(
        'The path of the page. An update without `session_end` counts as a view of it, numbered by `page_count`.',
      ),
  })
  .meta({ id: 'SessionUpdate', description: 'The start of the session, and all totals so far.' });

export const signupResult = {
  stored: z.object({ result: z.enum(['created', 'pending']).describe('`pending`: the address has to be confirmed.') }),
  duplicate: z.object({ result: z.literal('duplicate') }),
};
export const inboxBody = z.object({
  email: text(MAX_RAW_EMAIL_LENGTH),
  submission_id: id,
  lang: z.string().optional().describe('The language of the page, as a BCP 47 tag. Default: that of the browser.'),
});

export const inbox = record<Inbox>()('Inbox', {
  successTitle: z.string(),
  successText: z.string().optional(),
  link: z.string().optional().describe('The text of the link to the webmail of the address.'),
  url: z.string().optional(),
});

const sharedLink = record<SharedLink>()('SharedLink', {
  url: z.string().describe('The address to share.'),
  title: z.string(),
  hint: z.string().describe('When a friend counts.'),
  text: z.string().describe('What is sent with the address.'),
  share: z.string(),
  copy: z.string(),
  copied: z.string(),
  friends: z.string().describe('How many friends have joined.'),
  place: z.string().exactOptional().describe('The place in line, if the site shows places.'),
});

export const shareResult = z.object({ share: sharedLink.nullable() });

export const signupCountResponse = z.object({ count: z.int().nullable() });

export const challenge = z.looseObject({});
export const emailBody = z.object({ email });
export const adminEmailBody = z.object({ admin_email: text(MAX_RAW_EMAIL_LENGTH) });

export const summary = record<AnalyticsSummary>()('AnalyticsSummary', {
  unique_visitors: z.int().min(0).describe('Of sessions of the last 30 days.'),
  email_signups: z.int().min(0),
  bounce_rate: z.number().min(0).max(100).describe('Percent, with two decimals.'),
  average_duration: z.int().min(0).describe('Seconds.'),
});

/** Anything that is not a token is treated as an unknown token. */
export const linkBody = z.object({ token: z.string().catch('').describe('What the link of the email carries.') });
export const confirmBody = z.object({
  ...linkBody.shape,
  submission_id: z
    .string({ error: 'must be the id of a signup' })
    .max(MAX_LENGTH.id, { error: 'must be the id of a signup' })
    .nullish()
    .describe('The id of the signup, which only the browser that signed up knows.'),
});

const ownLink = record<PageShare>()('OwnLink', {
  ...sharedLink.shape,
  line: z
    .object({
      viewBox: z.string(),
      ahead: z.string().describe('The people ahead as an SVG path, whose dashes are dots.'),
      own: z.string(),
      scale: z.string().describe('How many people a dot is; empty: one.'),
    })
    .exactOptional()
    .describe('The place in line as a picture.'),
}).exactOptional();
export const confirmResult: z.ZodType<{ result: ConfirmResult; share?: PageShare }> = z.object({
  result: z.enum(['confirmed', 'already-confirmed', 'expired', 'other-browser', 'unknown']),
  share: ownLink.describe('Their share link, if there are share links and the address is confirmed.'),
});
export const unsubscribeQuery = z.object({ token: z.string().optional().describe('What the link carries.') });
export const unsubscribeResult = z.object({ result: z.enum(['unsubscribed', 'unknown']) });

export const personStatus = record<PersonStatus & { readonly share?: PageShare }>()('PersonStatus', {
  email: z.string(),
  state: z.enum(PERSON_STATES),
  signed_up_at: time,
  share: ownLink.describe('Their share link, if there are share links and they are on the list.'),
});
export const personData = z.looseObject({}).describe('As `GET /admin/people/{id}` has it, with times as ISO 8601.');
export const addressChangeBody = z.object({ ...linkBody.shape, email });
export const newLinkBody = z.object({
  email,
  page: z.enum(NEW_LINK_PAGES).describe('The page that the link leads to.'),
});
export const erasure = z.object({
  result: z
    .enum(['erased', 'not-traceless', 'being-sent'])
    .describe(
      '`not-traceless`: erased, but a copy may be left in files of the database. `being-sent`: not erased, because an email to them is being sent.',
    ),
});

const INVITE_STATES = ['used', 'expired', 'gone', 'unknown'] as const satisfies readonly InviteState[];
export const inviteState = z.object({ result: z.enum(['valid', ...INVITE_STATES]) });
export const admitBody = z.object({
  email: z
    .string()
    .max(MAX_LENGTH.email)
    .catch('')
    .describe('The address of the account. Any other text counts as an address that is not on the list.'),
  token: z.string().exactOptional().catch('').describe('What the link of an invitation carries, if there is one.'),
});
export const admitResult = z.union([
  z.object({ result: z.literal('admitted'), id: z.string().describe('The id of the person.') }),
  z.object({ result: z.enum(INVITE_STATES) }),
]);
export const redeemResult = z.union([
  z.object({ result: z.literal('redeemed'), email: z.string(), id: z.string().describe('The id of the person.') }),
  z.object({ result: z.enum(INVITE_STATES) }),
]);
