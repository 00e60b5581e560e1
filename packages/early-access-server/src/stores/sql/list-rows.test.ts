import { expect, it } from 'vitest';
import { afterEvent, toPersonRow } from './list-rows.ts';

it('an address that bounces remembers its state, and no other event does', () => {
  const person = toPersonRow({
    id: 1,
    email: 'a@x.io',
    person_id: 'person-1',
    submission_id: 'submission_1',
    entered: null,
    state: 'invited',
    bounced_from: null,
  });
  expect(afterEvent(person, 'bounce')).toEqual({ state: 'bounced', bouncedFrom: 'invited' });
  expect(afterEvent(person, 'redeem')).toEqual({ state: 'joined', bouncedFrom: null });
  expect(afterEvent(person, 'confirm')).toBeNull();
});
