import { CHOICE_SEPARATOR, DAY_MS } from 'early-access-kit/internal';
import { findPeriod } from '../analytics/range.ts';
import type { MailState } from '../mail/message-state.ts';
import { containsPart } from '../text/parts.ts';
import type { ExportedPerson, Person } from './people.ts';
import { fieldOf, isSignupText, type SegmentAt, type TextCondition, type TextName } from './segment.ts';

type Known =
  | 'state'
  | 'labels'
  | 'source'
  | 'utm_campaign'
  | 'import_id'
  | 'language'
  | 'created_at'
  | 'fields'
  | 'invited_at';

export interface MatchedPerson extends Pick<ExportedPerson, Known> {
  /** The states of their campaign messages, by campaign id. Left out: they have none. */
  readonly campaigns?: ReadonlyMap<string, MailState>;
}

/** Returns whether the address or a field value contains the search, ignoring case. `search` is in lower case. */
export function matchesSearch({ email, fields = {} }: Pick<Person, 'email' | 'fields'>, search: string): boolean {
  return (
    email.includes(search) ||
    Object.values(fields).some((value) => typeof value === 'string' && containsPart(value, search))
  );
}

/** Returns whether the person meets all conditions, for stores whose database cannot evaluate them. */
export function matchesSegment(person: MatchedPerson, { conditions, at }: SegmentAt): boolean {
  const { states, source, campaign, language, fields = {}, with_campaign, without_campaign, texts = [] } = conditions;
  const { from, to } = findPeriod(conditions, at);
  const stateOf = (id: string) => person.campaigns?.get(id) ?? 'failed';
  return (
    (!states || states.includes(person.state)) &&
    (!source || person.source === source) &&
    (!campaign || person.utm_campaign === campaign) &&
    (!conditions.import || person.import_id === conditions.import) &&
    (!language || person.language === language) &&
    (from === null || person.created_at >= from) &&
    (to === null || person.created_at < to) &&
    Object.entries(fields).every(([name, value]) => hasField(person, name, value)) &&
    (conditions.invited_days_ago === undefined || wasInvited(person, at - conditions.invited_days_ago * DAY_MS)) &&
    (!with_campaign || stateOf(with_campaign) === 'sent') &&
    (!without_campaign || stateOf(without_campaign) === 'failed') &&
    texts.every((condition) => meetsText(person, condition))
  );
}

function meetsText(person: MatchedPerson, { of, test, values }: TextCondition): boolean {
  const found = readTexts(person, of);
  if (test === 'part') return found.some((text) => text !== true && values.some((part) => containsPart(text, part)));
  const isAny = found.some((text) => values.length === 0 || (text !== true && values.includes(text)));
  return isAny === (test === 'any');
}

/**
 * The values of the text; empty if the person has none. If several choices were made, each one is a value, and so is
 * the combination.
 */
function readTexts(person: MatchedPerson, of: TextName): readonly (string | true)[] {
  const { source, utm_campaign: campaign, import_id, language, labels = [], fields = {} } = person;
  if (of === 'labels') return labels;
  if (isSignupText(of)) return [{ source, campaign, import: import_id, language }[of] ?? []].flat();
  const found = new Map(Object.entries(fields)).get(fieldOf(of));
  if (found === undefined) return [];
  return found === true ? [found] : [found, ...found.split(CHOICE_SEPARATOR)];
}

function hasField(person: MatchedPerson, name: string, value: string | true): boolean {
  const found = readTexts(person, `fields.${name}`);
  return value === true ? found.length > 0 : found.includes(value);
}

/** Returns whether the person was invited by this time and has not joined. */
function wasInvited({ state, invited_at }: MatchedPerson, time: number): boolean {
  return state === 'invited' && invited_at !== null && invited_at <= time;
}
