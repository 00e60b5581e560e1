import { expect, it } from 'vitest';
import { codeOfStatus, DEFAULT_BASE, HONEYPOT_FIELD, ROUTES, SIGNUP_KEY, STATUS_OF_CODE } from './protocol.ts';

it.each([
  [400, 'invalid'],
  [401, 'forbidden'],
  [403, 'forbidden'],
  [404, 'invalid'],
  [408, 'unavailable'],
  [429, 'rate-limited'],
  [499, 'invalid'],
  [500, 'unavailable'],
  [503, 'unavailable'],
  [302, 'unavailable'],
  [399, 'unavailable'],
])('status %i means %s', (status, code) => {
  expect(codeOfStatus(status)).toBe(code);
});

it('maps the status of each code back to that code', () => {
  for (const [code, status] of Object.entries(STATUS_OF_CODE)) expect(codeOfStatus(status)).toBe(code);
});

it('has stable names, because pages and servers of different releases communicate', () => {
  expect({ ROUTES, HONEYPOT_FIELD, SIGNUP_KEY, DEFAULT_BASE }).toEqual({
    ROUTES: {
      signups: '/signups',
      inbox: '/inbox',
      share: '/share',
      welcomeEmail: '/welcome-email',
      sessions: '/sessions',
      summary: '/summary',
      signupForm: '/signup-form',
    },
    HONEYPOT_FIELD: 'website',
    SIGNUP_KEY: 'early_access_signup',
    DEFAULT_BASE: '/api',
  });
});
