import { describe, expect, it } from 'vitest';
import { PERSON_STATES } from '../lifecycle/states.ts';
import {
  addConditions,
  describeConditions,
  describeSegment,
  isTextName,
  listStates,
  readSegment,
  removeCondition,
  type Segment,
  type TextCondition,
  textSegment,
} from './segment.ts';

const NAMES = {
  fieldLabel: (name: string) => (name === 'role' ? 'Your role' : undefined),
  valueLabel: (_: string, value: string) => (value === 'a' ? 'Artist' : value),
  campaignSubject: (id: string) => ({ 1: 'We launch', 2: '' })[id],
  importName: (id: string) => ({ 5: 'people.csv', 6: '' })[id],
};

const FULL: Segment = {
  states: ['subscribed', 'invited'],
  source: 'blog',
  campaign: 'launch',
  language: 'pt',
  from: '2026-01-31',
  to: '2026-02-01',
  zone: 'Asia/Tokyo',
  import: '5',
  with_campaign: '1',
  without_campaign: '9',
  fields: { news: true, role: 'a' },
  invited_days_ago: 14,
  texts: [
    { of: 'fields.role', test: 'none', values: ['a', 'b'] },
    { of: 'source', test: 'part', values: ['Fair'] },
  ],
};

describe('a segment in words', () => {
  it('says every condition, and what no longer exists', () => {
    expect(describeConditions(FULL, NAMES).map(({ key, text }) => `${key}: ${text}`)).toEqual([
      'states: is waiting or invited',
      'source: source is blog',
      'campaign: UTM campaign is launch',
      'import: came with the import of “people.csv”',
      'language: language is Portuguese',
      'period: signed up from 31 Jan 2026 until 1 Feb 2026 (Asia/Tokyo)',
      'fields.news: news (no longer a field of the form): any value',
      'fields.role: Your role: Artist',
      'invited_days_ago: was invited 14 days ago or earlier, and has not joined',
      'with_campaign: was sent “We launch”',
      'without_campaign: was not sent a campaign that no longer exists',
      expect.stringContaining(': Your role is none of Artist or b'),
      expect.stringContaining(': source contains “Fair”'),
    ]);
    const texts: Segment['texts'] = [
      { of: 'campaign', test: 'none', values: [] },
      { of: 'fields.role', test: 'any', values: ['a', 'b'] },
      { of: 'fields.role', test: 'any', values: [] },
      { of: 'import', test: 'none', values: ['5'] },
      { of: 'language', test: 'none', values: ['pt'] },
      { of: 'source', test: 'any', values: [] },
      { of: 'labels', test: 'any', values: [] },
      { of: 'labels', test: 'none', values: [] },
      { of: 'labels', test: 'any', values: ['Press', 'VIP'] },
      { of: 'labels', test: 'none', values: ['VIP'] },
      { of: 'labels', test: 'part', values: ['V'] },
    ];
    expect(describeConditions({ texts }, NAMES).map(({ text }) => text)).toEqual([
      'UTM campaign has no value',
      'Your role is Artist or b',
      'Your role has any value',
      'import is not the import of “people.csv”',
      'language is not Portuguese',
      'source has any value',
      'has a label',
      'has no label',
      'has a label Press or VIP',
      'has no label VIP',
      'has a label that contains “V”',
    ]);
    const others: Segment = { states: ['pending'], to: 'x', language: '?', invited_days_ago: 1, with_campaign: '2' };
    expect(describeSegment(others, NAMES)).toBe(
      'is not confirmed; language is ?; signed up until x; was invited 1 day ago or earlier, and has not joined; ' +
        'was sent “Without a subject”',
    );
    expect(describeSegment({}, NAMES)).toBe('');
    expect(['6', '7'].map((id) => describeSegment({ import: id }, NAMES))).toEqual([
      'came with the import of “an unnamed file”',
      'came with an unknown import',
    ]);
    expect(describeSegment({ invited_days_ago: 0 }, NAMES)).toContain('0 days');
  });

  it('loses one condition at a time', () => {
    let left = FULL;
    for (const { key } of describeConditions(FULL, NAMES)) {
      const rest = describeConditions(left, NAMES).slice(1);
      left = removeCondition(left, key);
      expect(describeConditions(left, NAMES)).toEqual(rest);
    }
    expect(left).toEqual({});
    expect(removeCondition(FULL, 'nothing')).toEqual(FULL);
  });
});

it('conditions on texts are added to those that are there, each once', () => {
  const text = { of: 'source', test: 'none', values: ['b', 'a', 'b'] } as const;
  const once = addConditions({ source: 'x', fields: { a: true } }, { fields: { b: '1' }, texts: [text] });
  expect(once).toEqual({
    source: 'x',
    fields: { a: true, b: '1' },
    texts: [{ of: 'source', test: 'none', values: ['a', 'b'] }],
  });
  expect(addConditions(once, { texts: [text], language: 'de' })).toEqual({ ...once, language: 'de' });
});

it('names each state', () => {
  expect(listStates(PERSON_STATES)).toBe('not confirmed, waiting, invited, joined, unsubscribed or bounced');
});

it.each<[TextCondition, Segment]>([
  [{ of: 'source', test: 'any', values: ['blog'] }, { source: 'blog' }],
  [{ of: 'fields.role', test: 'any', values: ['a'] }, { fields: { role: 'a' } }],
  [{ of: 'fields.role', test: 'any', values: [] }, { fields: { role: true } }],
  ...(
    [
      { of: 'source', test: 'any', values: [] },
      { of: 'source', test: 'any', values: ['a', 'b'] },
      { of: 'source', test: 'none', values: ['a'] },
      { of: 'fields.role', test: 'part', values: ['a'] },
      { of: 'labels', test: 'any', values: ['VIP'] },
    ] as const
  ).map((condition): [TextCondition, Segment] => [condition, { texts: [condition] }]),
])('the condition %j is stored as %j', (condition, segment) => {
  expect(textSegment(condition)).toEqual(segment);
});

describe('a stored segment', () => {
  it('has its conditions on texts in one order, each once, and of their values only texts', () => {
    const written = [
      { of: 'source', test: 'none', values: ['b', 'a', '', 7, 'b'] },
      { of: 'labels', test: 'any', values: 'VIP' },
      { of: 'source', test: 'none', values: ['a', 'b'] },
    ];
    expect(readSegment({ texts: written }).texts).toEqual([
      { of: 'labels', test: 'any', values: [] },
      { of: 'source', test: 'none', values: ['a', 'b'] },
    ]);
    expect(isTextName(7)).toBe(false);
  });

  it('is read as it was written, in one order', () => {
    expect(readSegment(JSON.parse(JSON.stringify(FULL)))).toEqual(FULL);
    const turned = Object.fromEntries(Object.entries({ ...FULL, fields: { role: 'a', news: true } }).toReversed());
    expect(JSON.stringify(readSegment(turned))).toBe(JSON.stringify(readSegment(FULL)));
  });

  it('keeps a field whose name no form can have, so that it holds for no one', () => {
    const stored = JSON.parse('{ "fields": { "__proto__": "x" } }');
    expect(JSON.stringify(readSegment(stored))).toBe('{"fields":{"__proto__":"x"}}');
  });

  it.each([
    null,
    'text',
    7,
    [],
    { states: 'invited', source: 7, fields: [], language: '', invited_days_ago: '3', other: 1 },
    { states: ['lost'], fields: { role: 7 }, invited_days_ago: 1.5 },
    { texts: [{ of: 'email', test: 'none', values: ['a'] }, { of: 'fields.A', test: 'any', values: [] }, 7] },
    {
      texts: [
        { of: 'source', test: 'part', values: [] },
        { of: 'source', test: 'other', values: ['a'] },
      ],
    },
  ])('has no condition that is not understood: %j', (value) => {
    expect(readSegment(value)).toEqual({});
  });
});
