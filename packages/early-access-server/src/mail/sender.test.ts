import { expect, it } from 'vitest';
import { senderAddress } from './sender.ts';

it.each([
  ['hello@printmargin.example', 'hello@printmargin.example'],
  ['PrintMargin <hello@printmargin.example>', 'hello@printmargin.example'],
  ['<hello@printmargin.example>', 'hello@printmargin.example'],
])('reads %j', (from, address) => {
  expect(senderAddress(from)).toBe(address);
});

it.each([
  '',
  'PrintMargin',
  'PrintMargin hello@printmargin.example',
  'PrintMargin < hello@printmargin.example>',
  'A <a@x.example> <b@x.example>',
  'A\r\nBcc: b@x.example <a@x.example>',
])('refuses %j', (from) => {
  expect(senderAddress(from)).toBeNull();
});
