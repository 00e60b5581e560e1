import type { SignupFields } from 'early-access-kit/core';
import { FIELD_NAME } from 'early-access-kit/internal';
import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import { storedFields } from '../signup/fields.ts';
import { DAY, dateFormat } from '../text/dates.ts';
import { quoteSubject } from '../text/quote-subject.ts';

/** Conditions on people, all of which must be met. A missing condition is always met. */
export interface Segment {
  readonly states?: readonly PersonState[];
  /** The form's `source`. */
  readonly source?: string;
  /** The `utm_campaign` of the signup. */
  readonly campaign?: string;
  /** The id of the import that added the person. */
  readonly import?: string;
  /** The primary subtag of the visitor's language, such as `pt`. */
  readonly language?: string;
  /** The first and last day of signup, such as `2026-01-31`, in `zone` (default: UTC). */
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
  /** Values of the host's own fields. True: the person has entered any value. */
  readonly fields?: SignupFields;
  /** Invited at least this many days ago, and has not joined. */
  readonly invited_days_ago?: number;
  /** The id of a campaign that was sent to the person. */
  readonly with_campaign?: string;
  /**
   * The id of a campaign that was neither sent to the person nor queued for them. An unknown outcome counts as sent.
   */
  readonly without_campaign?: string;
  /** Further conditions on texts, all of which must be met. */
  readonly texts?: readonly TextCondition[];
}

/** `any`: the text is one of the values. `none`: it is none of them. `part`: it contains one of them, ignoring case. */
export const TEXT_TESTS = ['any', 'none', 'part'] as const;
export type TextTest = (typeof TEXT_TESTS)[number];

/** The texts, besides the host's own fields, that conditions can refer to. A person may have several labels. */
export const SIGNUP_TEXTS = ['source', 'campaign', 'import', 'language', 'labels'] as const;
export type SignupText = (typeof SIGNUP_TEXTS)[number];
type FieldText = `fields.${string}`;
export type TextName = SignupText | FieldText;

export interface TextCondition {
  readonly of: TextName;
  readonly test: TextTest;
  /** Distinct. Empty means any value at all, for `any` and `none`. */
  readonly values: readonly string[];
}

export interface SegmentAt {
  readonly conditions: Segment;
  /** Epoch milliseconds. */
  readonly at: number;
}

export interface SavedSegment {
  readonly id: string;
  readonly name: string;
  readonly conditions: Segment;
}

export const MAX_SEGMENTS = 100;
export const MAX_SEGMENT_NAME = 80;
export const MAX_SEGMENT_FIELDS = 20;
export const MAX_TEXT_CONDITIONS = 20;
export const MAX_TEXT_VALUES = 20;
export const MAX_DAYS_AGO = 3_650;

const TEXTS = [
  'source',
  'campaign',
  'import',
  'language',
  'from',
  'to',
  'zone',
  'with_campaign',
  'without_campaign',
] as const;

/** Reads the conditions from a stored value or a URL, in a fixed order. Ignores everything else in it. */
export function readSegment(value: unknown): Segment {
  const given = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const segment: { -readonly [Name in keyof Segment]: Segment[Name] } = {};
  const listed = given.get('states');
  const states = PERSON_STATES.filter((state) => Array.isArray(listed) && listed.includes(state));
  if (states.length > 0) segment.states = states;
  for (const name of TEXTS) {
    const text = given.get(name);
    if (typeof text === 'string' && text !== '') segment[name] = text;
  }
  const fields = Object.entries(storedFields(given.get('fields')) ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (fields.length > 0) segment.fields = Object.fromEntries(fields);
  const days = given.get('invited_days_ago');
  if (typeof days === 'number' && Number.isInteger(days)) segment.invited_days_ago = days;
  const texts = readTexts(given.get('texts'));
  if (texts.length > 0) segment.texts = texts;
  return segment;
}

/** Without duplicates and in a fixed order, so that equal segments are equal as JSON. */
function readTexts(value: unknown): readonly TextCondition[] {
  const read = Array.isArray(value) ? value.flatMap(readText) : [];
  const distinct = new Map(read.map((condition) => [JSON.stringify(condition), condition]));
  return [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, condition]) => condition);
}

function readText(value: unknown): readonly TextCondition[] {
  const given = new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  const [name, listed] = [given.get('of'), given.get('values')];
  const of = isTextName(name) ? name : undefined;
  const test = TEXT_TESTS.find((test) => test === given.get('test'));
  const texts = Array.isArray(listed) ? listed.filter((text) => typeof text === 'string' && text !== '') : [];
  if (of === undefined || test === undefined || (test === 'part' && texts.length === 0)) return [];
  return [{ of, test, values: [...new Set<string>(texts)].sort() }];
}

const FIELDS = 'fields.';

export function isTextName(name: unknown): name is TextName {
  if (typeof name !== 'string') return false;
  return isSignupText(name) || (name.startsWith(FIELDS) && FIELD_NAME.test(name.slice(FIELDS.length)));
}

export function isSignupText(name: string): name is SignupText {
  return SIGNUP_TEXTS.some((text) => text === name);
}

export function fieldOf(name: FieldText): string {
  return name.slice(FIELDS.length);
}

/** A segment with one condition on a text. A single value uses the shorter form. */
export function textSegment({ of, test, values }: TextCondition): Segment {
  const [value = true] = values;
  if (of === 'labels' || test !== 'any' || values.length > 1 || (isSignupText(of) && value === true)) {
    return readSegment({ texts: [{ of, test, values }] });
  }
  return isSignupText(of) ? { [of]: value } : { fields: { [fieldOf(of)]: value } };
}

/** Adds the conditions of another segment. They replace conditions that can only occur once. */
export function addConditions(segment: Segment, added: Segment): Segment {
  return readSegment({
    ...segment,
    ...added,
    fields: { ...segment.fields, ...added.fields },
    texts: [...(segment.texts ?? []), ...(added.texts ?? [])],
  });
}

/** States as they are called in sentences. */
const STATE_TEXTS: Readonly<Record<PersonState, string>> = {
  pending: 'not confirmed',
  subscribed: 'waiting',
  invited: 'invited',
  joined: 'joined',
  unsubscribed: 'unsubscribed',
  bounced: 'bounced',
};

/** Lists states in a sentence: `waiting, invited or joined`. */
export function listStates(states: readonly PersonState[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(states.map((state) => STATE_TEXTS[state]));
}

/** Looks up names for a description. Undefined: the field, campaign or import does not exist. */
export interface SegmentNames {
  fieldLabel(name: string): string | undefined;
  /** The label of a stored value, or the value itself if it has none. */
  valueLabel(name: string, value: string): string;
  campaignSubject(id: string): string | undefined;
  importName(id: string): string | undefined;
}

export interface ConditionText {
  readonly key: string;
  readonly text: string;
}

const PERIOD = ['from', 'to', 'zone'] as const;

export function describeConditions(segment: Segment, names: SegmentNames): readonly ConditionText[] {
  const { states, source, campaign, language, fields = {}, invited_days_ago: days, texts = [] } = segment;
  const described: readonly (readonly [key: string, text: string | false | undefined])[] = [
    ['states', states && `is ${listStates(states)}`],
    ['source', source && `source is ${source}`],
    ['campaign', campaign && `UTM campaign is ${campaign}`],
    ['import', segment.import && `came with ${nameImport(segment.import, names)}`],
    ['language', language && `language is ${nameLanguage(language)}`],
    ['period', describePeriod(segment)],
    ...Object.entries(fields).map(([name, value]) => [`fields.${name}`, describeField(name, value, names)] as const),
    ['invited_days_ago', days !== undefined && `was invited ${formatDays(days)} ago or earlier, and has not joined`],
    ['with_campaign', nameCampaign('was sent', segment.with_campaign, names)],
    ['without_campaign', nameCampaign('was not sent', segment.without_campaign, names)],
    ...texts.map((condition) => [textKey(condition), describeText(condition, names)] as const),
  ];
  return described.flatMap(([key, text]) => (text ? [{ key, text }] : []));
}

/** All conditions as one sentence without a period: `is waiting; language is German`. Empty if there are none. */
export function describeSegment(segment: Segment, names: SegmentNames): string {
  return describeConditions(segment, names)
    .map(({ text }) => text)
    .join('; ');
}

/** The segment without the condition that has this `key` in `describeConditions`. */
export function removeCondition({ fields, texts = [], ...segment }: Segment, key: string): Segment {
  const gone: readonly string[] = key === 'period' ? PERIOD : [key];
  const rest = Object.entries(segment).filter(([name]) => !gone.includes(name));
  const otherFields = Object.entries(fields ?? {}).filter(([name]) => key !== `fields.${name}`);
  const otherTexts = texts.filter((condition) => textKey(condition) !== key);
  return readSegment({ ...Object.fromEntries(rest), fields: Object.fromEntries(otherFields), texts: otherTexts });
}

function textKey(condition: TextCondition): string {
  return `texts.${JSON.stringify(condition)}`;
}

/** The English name of a language, or the tag itself if it has none. */
export function nameLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** `the import of “people.csv”`. */
export function nameImport(id: string, { importName }: Pick<SegmentNames, 'importName'>): string {
  const name = importName(id);
  return name === undefined ? 'an unknown import' : `the import of “${name || 'an unnamed file'}”`;
}

function describePeriod({ from, to, zone }: Segment): string | undefined {
  const first = from && `from ${formatDay(from)}`;
  const last = to && `until ${formatDay(to)}`;
  if (!first && !last) return undefined;
  return ['signed up', first, last, zone && `(${zone})`].filter(Boolean).join(' ');
}

function formatDay(day: string): string {
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  return dateFormat('UTC', DAY).format(date);
}

function formatDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function describeField(name: string, value: string | true, names: SegmentNames): string {
  return `${nameField(name, names)}: ${value === true ? 'any value' : names.valueLabel(name, value)}`;
}

function nameField(name: string, { fieldLabel }: SegmentNames): string {
  return fieldLabel(name) ?? `${name} (no longer a field of the form)`;
}

const TEXT_LABELS: Readonly<Record<SignupText, string>> = {
  source: 'source',
  campaign: 'UTM campaign',
  import: 'import',
  language: 'language',
  labels: 'label',
};

function describeText({ of, test, values }: TextCondition, names: SegmentNames): string {
  const label = isSignupText(of) ? TEXT_LABELS[of] : nameField(fieldOf(of), names);
  if (values.length === 0) {
    if (of === 'labels') return test === 'none' ? 'has no label' : 'has a label';
    return `${label} has ${test === 'none' ? 'no' : 'any'} value`;
  }
  const listed = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    values.map((value) => (test === 'part' ? `“${value}”` : nameValue(of, value, names))),
  );
  if (of === 'labels')
    return `has ${test === 'none' ? 'no' : 'a'} label ${test === 'part' ? 'that contains ' : ''}${listed}`;
  if (test === 'part') return `${label} contains ${listed}`;
  if (test === 'any') return `${label} is ${listed}`;
  return values.length === 1 ? `${label} is not ${listed}` : `${label} is none of ${listed}`;
}

function nameValue(of: TextName, value: string, names: SegmentNames): string {
  if (!isSignupText(of)) return names.valueLabel(fieldOf(of), value);
  if (of === 'import') return nameImport(value, names);
  return of === 'language' ? nameLanguage(value) : value;
}

function nameCampaign(verb: string, id: string | undefined, { campaignSubject }: SegmentNames): string | undefined {
  if (id === undefined) return undefined;
  const subject = campaignSubject(id);
  return `${verb} ${subject === undefined ? 'a campaign that no longer exists' : quoteSubject(subject)}`;
}
