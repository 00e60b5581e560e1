import { FIELD_NAME, MAX_LENGTH } from 'early-access-kit/internal';
import * as z from 'zod';
import { PERSON_STATES } from '../../../app/lifecycle/states.ts';
import {
  MAX_DAYS_AGO,
  MAX_SEGMENT_FIELDS,
  MAX_SEGMENT_NAME,
  MAX_TEXT_CONDITIONS,
  MAX_TEXT_VALUES,
  type SavedSegment,
  type Segment,
  SIGNUP_TEXTS,
  TEXT_TESTS,
} from '../../../app/people/segment.ts';
import { dayParam, type Output, record, text, wholeNumber } from '../openapi/schema.ts';
import { storable } from './visitors.ts';

const MAX_ID_LENGTH = 100;
/** The longest value that a field may have. */
const MAX_VALUE_LENGTH = 1_000;

const statesError = `must list some of ${PERSON_STATES.join(', ')}, each once`;
const fieldsError = `must have at most ${MAX_SEGMENT_FIELDS} fields, each with a text or true`;
const given = (maxLength: number) => storable(maxLength).min(1, { error: 'must not be empty' });
const campaignId = text(MAX_ID_LENGTH).min(1, { error: 'must be the id of a campaign' }).exactOptional();

const textsError = `must list at most ${MAX_TEXT_CONDITIONS} conditions such as {"of":"source","test":"none","values":["fair"]}`;
const fieldName = z.templateLiteral(['fields.', z.string().regex(FIELD_NAME)]);

const textCondition = z
  .strictObject(
    {
      of: z
        .union([z.enum(SIGNUP_TEXTS), fieldName], { error: textsError })
        .describe('A text of the signup, or `fields.` and the name of a field.'),
      test: z
        .enum(TEXT_TESTS, { error: textsError })
        .describe('`any`: it is one of the values. `none`: it is none of them. `part`: it contains one, in any case.'),
      values: z
        .array(given(MAX_VALUE_LENGTH), { error: textsError })
        .max(MAX_TEXT_VALUES, { error: `must list at most ${MAX_TEXT_VALUES} values` })
        .describe('Empty: any value at all, for `any` and `none`.'),
    },
    { error: textsError },
  )
  .refine(({ test, values }) => test !== 'part' || values.length > 0, { error: textsError })
  .meta({ id: 'TextCondition' });

export const importId = z.uuid({ error: 'must be the id of an import' });

/** Strict, because a misspelled condition would match everyone. */
export const segment = z
  .strictObject(
    {
      states: z
        .array(z.enum(PERSON_STATES, { error: statesError }), { error: statesError })
        .min(1, { error: statesError })
        .refine((states) => new Set(states).size === states.length, { error: statesError })
        .meta({ uniqueItems: true })
        .exactOptional(),
      source: given(MAX_LENGTH.source).exactOptional().describe('The `source` of the form.'),
      campaign: given(MAX_LENGTH.utm).exactOptional().describe('The `utm_campaign` of the signup.'),
      import: importId.exactOptional().describe('The id of the import that has added them.'),
      language: z
        .string()
        .regex(/^[a-z]{2,3}$/, { error: 'must be a language such as en or pt' })
        .exactOptional()
        .describe('The primary tag of the visitor’s language.'),
      from: dayParam().exactOptional().describe('The first day of signups, in `zone`.'),
      to: dayParam().exactOptional().describe('The last day of signups, in `zone`.'),
      zone: text(64).exactOptional().describe('An IANA time zone such as `Europe/Berlin`. UTC by default.'),
      fields: z
        .record(z.string().regex(FIELD_NAME), z.union([given(MAX_VALUE_LENGTH), z.literal(true)]), {
          error: fieldsError,
        })
        .refine((fields) => Object.keys(fields).length <= MAX_SEGMENT_FIELDS, { error: fieldsError })
        .exactOptional()
        .describe('Values of the host’s own fields. True: the person has entered any value.'),
      invited_days_ago: wholeNumber(0, MAX_DAYS_AGO)
        .exactOptional()
        .describe('Invited at least this many days ago, and not joined.'),
      with_campaign: campaignId.describe('A campaign that was sent to the person.'),
      without_campaign: campaignId.describe('A campaign that was not sent to the person, and is not about to be.'),
      texts: z
        .array(textCondition, { error: textsError })
        .max(MAX_TEXT_CONDITIONS, { error: textsError })
        .exactOptional()
        .describe('Further conditions on texts, all of which must hold.'),
    },
    { error: ({ code }) => (code === 'unrecognized_keys' ? 'has an unknown condition' : 'must be an object') },
  )
  .meta({ id: 'Segment', description: 'Conditions on people, all of which must hold.' }) satisfies z.ZodType<Segment>;

const nameError = `must be one line of at most ${MAX_SEGMENT_NAME} characters`;
const name = z
  .string({ error: nameError })
  .trim()
  .min(1, { error: nameError })
  .max(MAX_SEGMENT_NAME, { error: nameError })
  .regex(/^\P{Cc}*$/u, { error: nameError });

export const segmentName = z.object({ name });
export const newSegment = z.object({
  name,
  conditions: segment.refine((conditions) => Object.keys(conditions).length > 0, {
    error: 'must have at least one condition',
  }),
});

export const savedSegment = record<SavedSegment>()('SavedSegment', {
  id: z.string(),
  name: z.string(),
  conditions: segment,
});
export const segmentList = z.object({
  segments: z.array(savedSegment).describe('In the order of their names.'),
});
export type SegmentsResponse = Output<typeof segmentList>;
