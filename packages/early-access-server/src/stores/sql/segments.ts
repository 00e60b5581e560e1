import { randomUUID } from 'node:crypto';
import { CHOICE_SEPARATOR, DAY_MS } from 'early-access-kit/internal';
import { findPeriod } from '../../app/analytics/range.ts';
import { storedLabel } from '../../app/people/labels.ts';
import {
  fieldOf,
  isSignupText,
  MAX_SEGMENTS,
  readSegment,
  type SavedSegment,
  type SegmentAt,
  type SignupText,
  type TextCondition,
} from '../../app/people/segment.ts';
import type { SegmentStore } from '../../app/ports/segment-store.ts';
import { listSpellings } from '../../app/text/parts.ts';
import { integer, parseRowId, type Row, texts } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, type Statement, sql } from './statement.ts';

export function segmentStore({ query, write }: SqlDatabase): SegmentStore {
  return {
    list: async () => (await query(sql`SELECT * FROM @segments ORDER BY name`)).map(toSavedSegment),
    add: (name, conditions) =>
      write(function* () {
        const [counted] = yield* sql`SELECT count(*) AS segments FROM @segments`;
        if (integer(counted, 'segments') >= MAX_SEGMENTS) return 'full';
        const [row] = yield* sql`
          INSERT INTO @segments (id, name, conditions) VALUES (${randomUUID()}, ${name}, ${JSON.stringify(conditions)})
          ON CONFLICT (name) DO NOTHING RETURNING *
        `;
        return row === undefined ? 'taken' : toSavedSegment(row);
      }),
    rename: (id, name) =>
      write(function* () {
        const named = yield* sql`SELECT id FROM @segments WHERE name = ${name} AND id <> ${id}`;
        if (named.length > 0) return 'taken';
        return (yield* sql`UPDATE @segments SET name = ${name} WHERE id = ${id}`).count === 1 ? 'renamed' : 'gone';
      }),
    remove: async (id) => (await write(() => sql`DELETE FROM @segments WHERE id = ${id}`)).count === 1,
  };
}

function toSavedSegment(row: Row): SavedSegment {
  const { id, name, conditions } = texts(row, ['id', 'name', 'conditions']);
  return { id, name, conditions: readSegment(JSON.parse(conditions)) };
}

/** The messages of a campaign to `signup`. */
const selectMessages = (id: string) =>
  sql`SELECT 1 FROM @mails AS got WHERE got.campaign_id = ${parseRowId(id)} AND got.signup_id = signup.id`;

export function segmentCondition({ conditions: segment, at }: SegmentAt): Statement {
  const { states, source, campaign, language, with_campaign, without_campaign, invited_days_ago: days } = segment;
  const { from, to } = findPeriod(segment, at);
  const conditions = [
    // The index of the order is used instead, because people found by state would have to be sorted.
    states && sql`#unindexed signup.state IN (${list(states)})`,
    source && sql`#unindexed signup.source = ${source}`,
    campaign && sql`signup.utm_campaign = ${campaign}`,
    segment.import && sql`signup.import_id = ${segment.import}`,
    language && sql`signup.language = ${language}`,
    from !== null && sql`signup.created_at >= ${from}`,
    to !== null && sql`signup.created_at < ${to}`,
    ...Object.entries(segment.fields ?? {}).map(([name, value]) => fieldCondition(name, value)),
    days !== undefined && sql`#unindexed signup.state = 'invited' AND signup.invited_at <= ${at - days * DAY_MS}`,
    with_campaign && sql`EXISTS (${selectMessages(with_campaign)} AND got.state = 'sent')`,
    without_campaign && sql`NOT EXISTS (${selectMessages(without_campaign)} AND got.state <> 'failed')`,
    ...(segment.texts ?? []).map(textCondition),
  ];
  return conditions.reduce<Statement>((all, condition) => (condition ? sql`${all} AND ${condition}` : all), sql`true`);
}

/** The value as JSON, which distinguishes the text "true" from a ticked box. */
const fieldJson = (name: string) => sql`CAST(signup.fields#json -> CAST(${name} AS text) AS text)`;

function fieldCondition(name: string, value: string | true): Statement {
  return value === true ? sql`${fieldJson(name)} IS NOT NULL` : hasAny(name, [value]);
}

/**
 * Whether the field has one of the values, alone or among several choices. Each choice is quoted and surrounded by
 * bars. Text cannot imitate that, because its own quotes are escaped.
 */
function hasAny(name: string, values: readonly string[]): Statement {
  const found = fieldJson(name);
  const choices = sql`('| ' || replace(${found}, ${CHOICE_SEPARATOR}, ${`"${CHOICE_SEPARATOR}"`}) || ' |')`;
  const chosen = values.map((value) => sql`#find(${choices}, ${`| ${JSON.stringify(value)} |`}) > 0`);
  const isWhole = sql`${found} IN (${list(values.map((value) => JSON.stringify(value)))})`;
  return sql`coalesce(${chosen.reduce((any, one) => sql`${any} OR ${one}`, isWhole)}, false)`;
}

/** Not read through an index, because the index of the order is used. */
const TEXT_COLUMNS: Readonly<Record<SignupText, Statement>> = {
  labels: sql`#unindexed signup.labels`,
  source: sql`#unindexed signup.source`,
  campaign: sql`signup.utm_campaign`,
  import: sql`#unindexed signup.import_id`,
  language: sql`signup.language`,
};

function textCondition({ of, test, values }: TextCondition): Statement {
  const isColumn = isSignupText(of);
  if (test === 'part') {
    const parts = values.flatMap(listSpellings);
    if (isColumn) return containsAny(TEXT_COLUMNS[of], parts);
    const text = sql`(signup.fields#json ->> CAST(${fieldOf(of)} AS text))`;
    return sql`coalesce(${fieldJson(fieldOf(of))} LIKE '"%', false) AND ${containsAny(text, parts)}`;
  }
  const found = isColumn ? TEXT_COLUMNS[of] : fieldJson(fieldOf(of));
  const isOne = () => {
    if (of === 'labels') return hasLabel(values);
    return isColumn ? sql`coalesce(${found} IN (${list(values)}), false)` : hasAny(fieldOf(of), values);
  };
  const isAny = values.length === 0 ? sql`${found} IS NOT NULL` : isOne();
  return test === 'any' ? isAny : sql`NOT (${isAny})`;
}

function hasLabel(labels: readonly string[]): Statement {
  const found = labels.map((label) => sql`#find(signup.labels, ${storedLabel(label)}) > 0`);
  return sql`coalesce(${found.reduce((any, one) => sql`${any} OR ${one}`)}, false)`;
}

/** Whether the text contains one of the parts, which are in the form of `foldCase`. */
export function containsAny(text: Statement, parts: readonly string[]): Statement {
  const found = parts.map((part) => sql`#find(lower(${text}#ascii), ${part}) > 0`);
  return sql`coalesce(${found.reduce((any, one) => sql`${any} OR ${one}`)}, false)`;
}
