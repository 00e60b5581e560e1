import { expect, it } from 'vitest';
import { senderAddress } from './sender.ts';

it.each([
  ['hello@acme.example', 'hello@acme.example'],
  ['Acme <hello@acme.example>', 'hello@acme.example'],
  ['<hello@acme.example>', 'hello@acme.example'],
])('reads %j', (from, address) => {
  expect(senderAddress(from)).toBe(address);
});

it.each([
  '',
  'Acme',
  'Acme hello@acme.example',
  'Acme < hello@acme.example>',
  'A <a@x.example> <b@x.example>',
  'A\r\nBcc: b@x.example <a@x.example>',
])('refuses %j', (from) => {
  expect(senderAddress(from)).toBeNull();
});
