import { expect, it } from 'vitest';
import { describeEvent } from './timeline.tsx';

it.each([
  ['signup', null, 'Signed up'],
  ['add', 'import', 'Imported from a file'],
  ['add', 'admin', 'Added by an admin'],
  ['confirm', 'reminder', 'Confirmed the address with the link in the reminder to confirm'],
  ['confirm', null, 'Confirmed the address'],
  ['redeem', 'invite', 'Joined with the link in the invitation'],
  ['unsubscribe', 'campaign', 'Unsubscribed with the link in the campaign email'],
  ['unsubscribe', 'admin', 'Unsubscribed by an admin'],
  ['unsubscribe', 'person', 'Unsubscribed on their status page'],
  ['ask-correction', 'admin', 'An admin requested an address change'],
  ['ask-correction', 'person', 'They requested an address change'],
  ['unsubscribe', 'time', 'Unsubscribed again, because the new signup was not confirmed in time'],
  ['unsubscribe', null, 'Unsubscribed'],
  ['correct', 'correction', 'Address corrected with the link in the email to the corrected address'],
] as const)('the event %s by %s reads as a sentence', (event, by, text) =>
  expect(describeEvent({ event, by })).toBe(text),
);
