import { expect, it } from 'vitest';
import { type FirstStepsInput, firstSteps } from './first-steps.ts';

const NEW: FirstStepsInput = {
  transport: 'files',
  hasVisits: false,
  hasSignups: false,
  facts: { store: 'sqlite', last_backup_at: null },
};
const OPEN = { sender: 'open', form: 'open', signup: 'open', backup: 'open' };

it.each([
  [{}, OPEN],
  [{ transport: null }, OPEN],
  [{ transport: 'smtp' }, { ...OPEN, sender: 'done' }],
  [{ hasVisits: true }, { ...OPEN, form: 'done' }],
  // A page without the tracker.
  [{ hasSignups: true }, { ...OPEN, form: 'done', signup: 'done' }],
  [{ facts: { store: 'sqlite', last_backup_at: 1 } }, { ...OPEN, backup: 'done' }],
  [{ facts: { store: 'postgres', last_backup_at: null } }, { ...OPEN, backup: 'elsewhere' }],
  [{ facts: { store: 'firestore', last_backup_at: null } }, { ...OPEN, backup: 'elsewhere' }],
] as const)('of %j', (input, steps) => {
  expect(firstSteps({ ...NEW, ...input })).toEqual(steps);
});
