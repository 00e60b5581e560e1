import { expect, it } from 'vitest';
import { describeFilter } from './describe-filter.ts';
import { EVERYONE, type PeopleFilter } from './people.ts';

const [FROM, TO] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)];

it.each<[Partial<PeopleFilter>, string | undefined]>([
  [{}, undefined],
  [{ state: 'pending', mail: 'failed' }, 'pending; last email: failed'],
  [
    { source: 'fair', from: FROM, to: TO, import: '7' },
    'source: fair; of an import; from 2026-03-01; before 2026-04-01',
  ],
  [{ search: 'ada@example.org' }, 'found by a search'],
  [{ source: 'ada@example.org' }, 'source: [address]'],
  [
    { segment: { conditions: { language: 'de', fields: { company: 'Ada Ltd' } }, at: TO } },
    'in a segment by language, fields',
  ],
])('says whom %j is about, and names nobody', (filter, text) => {
  expect(describeFilter({ ...EVERYONE, ...filter })).toBe(text);
});
