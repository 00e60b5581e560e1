import * as z from 'zod';
import { LOCAL_TIME } from '../../../app/campaigns/schedule.ts';
import {
  CLOSED_REASONS,
  LIST_MODES,
  type ListStatus,
  MAX_CLOSED_LINK,
  MAX_CLOSED_LINK_TEXT,
  MAX_CLOSED_MESSAGE,
  MAX_PLACES,
} from '../../../app/signup/list-status.ts';
import { count, createEnum, flag, type Output, record, text, time, wholeNumber } from '../openapi/schema.ts';
import { email, storable } from './visitors.ts';

/** The CSV contains all of them. */
export const SHOWN_REQUESTS = 200;

const MAX_ZONE_LENGTH = 64;

/** An empty text becomes null. */
const words = (maxLength: number) =>
  storable(maxLength)
    .nullable()
    .transform((text) => text?.trim() || null);

const linkError = 'must be an address that starts with https:// or http://';
function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\//i.test(text) && url.username === '' && url.password === '';
}

const LIMIT = 'The list is full with this many people who have not left. Null: it has no limit.';
const localError = 'must be a local time such as 2026-12-01T09:00, or null';

const settable = {
  mode: createEnum(LIST_MODES).describe(
    '`paused` and `closed` accept nobody. They only differ in the text for visitors.',
  ),
  message: words(MAX_CLOSED_MESSAGE).describe('What visitors read instead of the built-in text. Null: that one.'),
  link_url: words(MAX_CLOSED_LINK)
    .refine((text) => text === null || isWebAddress(text), { error: linkError })
    .describe('A page to visit instead, by http or https. Null: none.'),
  link_text: words(MAX_CLOSED_LINK_TEXT).describe('The words of that link. Null: its host.'),
  takes_requests: flag().describe(
    'Whether addresses that are entered while it accepts nobody are kept, and signed up once it opens.',
  ),
};

/** Strict, because a misspelled setting would leave the list open. */
export const listStatusChange = z.strictObject(
  {
    mode: settable.mode.exactOptional(),
    closes: z
      .string({ error: localError })
      .regex(LOCAL_TIME, { error: localError })
      .nullable()
      .exactOptional()
      .describe(
        'A local time such as `2026-12-01T09:00`, or with an offset, `2026-12-01T09:00+01:00`, when it closes by itself. Null: never.',
      ),
    zone: text(MAX_ZONE_LENGTH).default('UTC').describe('The IANA time zone of `closes`.'),
    max_people: wholeNumber(1, MAX_PLACES).nullable().exactOptional().describe(LIMIT),
    message: settable.message.exactOptional(),
    link_url: settable.link_url.exactOptional(),
    link_text: settable.link_text.exactOptional(),
    takes_requests: settable.takes_requests.exactOptional(),
  },
  { error: 'has an unknown setting' },
);

export const listStatusNow = z.object({
  status: record<ListStatus>()('ListStatus', {
    ...settable,
    closes_at: time.nullable().describe('When it closes by itself. Null: never.'),
    max_people: count.nullable().describe(LIMIT),
  }),
  closed: z.enum(CLOSED_REASONS).nullable().describe('Why the list accepts nobody now. Null: it is open.'),
  people: count
    .nullable()
    .describe(
      'The people who take a place, up to `max_people`. Null if the list has no limit, or accepts nobody for another reason.',
    ),
  requests: count.describe('The people who wait for the list to open. They are not on it.'),
});
export type ListStatusResponse = Output<typeof listStatusNow>;

export const openingRequests = z.object({
  requests: z
    .array(z.object({ email: z.string(), created_at: time, source: z.string(), language: z.string().nullable() }))
    .describe(`The oldest first, at most ${SHOWN_REQUESTS}.`),
});
export type OpeningRequestsResponse = Output<typeof openingRequests>;

export const requestToErase = z.object({ email });
export const erasedRequest = z.object({ erased: z.boolean().describe('False: nothing was stored about the address.') });
