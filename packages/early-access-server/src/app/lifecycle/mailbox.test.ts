import { expect, it } from 'vitest';
import { mailboxKey, normalizeMailbox, otherMailboxKey } from './mailbox.ts';

it.each([
  ['ada@x.io', 'ada@x.io'],
  ['ada+news@x.io', 'ada@x.io'],
  ['a.da@x.io', 'a.da@x.io'],
  ['a.da+news@googlemail.com', 'ada@gmail.com'],
  // A local part that begins with a plus sign has no name before it.
  ['+news@x.io', '+news@x.io'],
  ['+news+1@x.io', '+news@x.io'],
])('%s delivers to %s, whose key is stored if it is another address', (email, mailbox) => {
  expect(normalizeMailbox(email)).toBe(mailbox);
  expect(otherMailboxKey(email)).toBe(email === mailbox ? null : mailboxKey(mailbox));
});
