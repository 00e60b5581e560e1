import { expect, it } from 'vitest';
import { loadSqliteSilently } from './load-sqlite.ts';

it('silences no other warning', () => {
  const { emitWarning } = process;
  expect(loadSqliteSilently()).toHaveProperty('DatabaseSync');
  expect(process.emitWarning).toBe(emitWarning);
});
