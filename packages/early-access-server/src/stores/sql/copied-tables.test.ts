import { describe, expect, it } from 'vitest';
import { COPIED_TABLES, combined, computeChecksum, isEqual } from './copied-tables.ts';

describe('checksums', () => {
  const [table] = COPIED_TABLES.filter(({ name }) => name === 'admin_weekly_emails');
  const of = (...rows: Record<string, string | number | null>[]) => {
    if (table === undefined) throw new Error('there is no such table');
    return computeChecksum(table, rows);
  };

  it('differ if a value, the order or the number of rows does', () => {
    const [ada, bob] = [
      { email: 'ada', week: 1 },
      { email: 'bob', week: 1 },
    ];
    expect(isEqual(of(ada, bob), of({ ...ada }, { ...bob }))).toBe(true);
    const others = [
      of(ada),
      of(bob, ada),
      of({ email: 'ada', week: 2 }, bob),
      of(),
      of({ email: 'ada', week: null }, bob),
    ];
    for (const other of others) expect(isEqual(of(ada, bob), other)).toBe(false);
    expect(isEqual({ rows: 1, md5: 'x' }, { rows: 2, md5: 'x' })).toBe(false);
    expect(isEqual(of({ email: 'a', week: 'bc' }), of({ email: 'ab', week: 'c' }))).toBe(false);
  });

  it('of parts have all their rows, and depend on each and on their order', () => {
    const [one, two] = [of({ email: 'ada', week: 1 }), of({ email: 'bob', week: 1 }, { email: 'eve', week: 1 })];
    expect(combined([one, two]).rows).toBe(3);
    expect(combined([one, two]).md5).not.toBe(combined([two, one]).md5);
    expect(combined([one, two]).md5).not.toBe(combined([one]).md5);
  });

  it('are the checksums of the texts that Postgres makes of its rows', () => {
    expect(of({ email: 'ada', week: null })).toEqual({ rows: 1, md5: 'c6e0c235f1567d9f1e316e76f5004e40' });
  });
});
