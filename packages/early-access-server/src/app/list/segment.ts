import type { SignupFields } from 'early-access-kit/core';
import { storedFields } from '../signup/fields.ts';
import { PERSON_STATES, type PersonState } from './states.ts';

/** Conditions on people, all of which must hold. A condition that is left out holds for everyone. */
export interface Segment {
  readonly states?: readonly PersonState[];
  /** The form's `source`. */
  readonly source?: string;
  /** The `utm_campaign` of the signup. */
  readonly campaign?: string;
  /** The id of the import that has added the person. */
  readonly import?: string;
  /** The primary tag of the visitor's language, such as `pt`. */
  readonly language?: string;
  /** The first and the last day of signups, such as `2026-01-31`, in `zone`; UTC without it. */
  readonly from?: string;
  readonly to?: string;
  readonly zone?: string;
  /** Values of the host's own fields. True: the person has entered any value. */
  readonly fields?: SignupFields;
  /** Invited at least this many days ago, and not joined. */
  readonly invited_days_ago?: number;
  /** The id of a campaign that was sent to the person. */
  readonly with_campaign?: string;
  /** The id of a campaign that was not sent to the person, and is not about to be. One whose outcome is unknown counts as sent. */
  readonly without_campaign?: string;
}

/** Conditions, and the time at which days ago are counted. */
export interface SegmentAt {
  readonly conditions: Segment;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Conditions that an admin has given a name. */
export interface SavedSegment {
  readonly id: string;
  readonly name: string;
  readonly conditions: Segment;
}

export const MAX_SEGMENTS = 100;
export const MAX_SEGMENT_NAME = 80;
export const MAX_SEGMENT_FIELDS = 20;
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

/** The conditions in a value that was stored or is part of a URL, in one order. Anything else in it is ignored. */
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
  return segment;
}

/** How each state of a person is called in sentences. */
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

/** The names that a description needs. Undefined: the form has no such field, or there is no such campaign or import. */
export interface SegmentNames {
  fieldLabel(name: string): string | undefined;
  /** The label of a stored value; the value itself if it has none. */
  valueLabel(name: string, value: string): string;
  campaignSubject(id: string): string | undefined;
  importName(id: string): string | undefined;
}

/** A condition in words. `key` names it for `removeCondition`. */
export interface ConditionText {
  readonly key: string;
  readonly text: string;
}

const PERIOD = ['from', 'to', 'zone'] as const;

export function describeConditions(segment: Segment, names: SegmentNames): readonly ConditionText[] {
  const { states, source, campaign, language, fields = {}, invited_days_ago: days } = segment;
  const texts: readonly (readonly [key: string, text: string | false | undefined])[] = [
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
  ];
  return texts.flatMap(([key, text]) => (text ? [{ key, text }] : []));
}

/** All conditions as one sentence without an end: `is waiting; language is German`. Empty if there are none. */
export function describeSegment(segment: Segment, names: SegmentNames): string {
  return describeConditions(segment, names)
    .map(({ text }) => text)
    .join('; ');
}

/** The segment without the condition that `describeConditions` names `key`. */
export function removeCondition({ fields, ...segment }: Segment, key: string): Segment {
  const gone: readonly string[] = key === 'period' ? PERIOD : [key];
  const rest = Object.entries(segment).filter(([name]) => !gone.includes(name));
  const otherFields = Object.entries(fields ?? {}).filter(([name]) => key !== `fields.${name}`);
  return readSegment({ ...Object.fromEntries(rest), fields: Object.fromEntries(otherFields) });
}

/** The name of a language in English; the tag itself if it has none. */
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
  return name === undefined ? 'an import that is not known' : `the import of “${name || 'a file without a name'}”`;
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
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

function formatDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

function describeField(name: string, value: string | true, { fieldLabel, valueLabel }: SegmentNames): string {
  const label = fieldLabel(name) ?? `${name} (no longer a field of the form)`;
  return `${label}: ${value === true ? 'any value' : valueLabel(name, value)}`;
}

function nameCampaign(verb: string, id: string | undefined, { campaignSubject }: SegmentNames): string | undefined {
  if (id === undefined) return undefined;
  const subject = campaignSubject(id);
  return `${verb} ${subject === undefined ? 'a campaign that no longer exists' : `“${subject || 'Without a subject'}”`}`;
}
