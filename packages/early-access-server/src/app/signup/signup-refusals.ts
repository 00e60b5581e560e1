import { HOUR_MS } from 'early-access-kit/internal';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { AddressProblem } from './address-check.ts';

/** Mistakes in the page, which visitors cannot correct. */
export const PAGE_MISTAKES = ['fields', 'human-check'] as const;
type PageMistake = (typeof PAGE_MISTAKES)[number];

/** Why a signup was rejected: a mistake in the page, or an address that the settings do not accept. */
export const SIGNUP_REFUSALS = [
  ...PAGE_MISTAKES,
  'blocked',
  'disposable',
  'misspelled',
  'personal',
  'undeliverable',
] as const;
export type SignupRefusal = PageMistake | AddressProblem;

/** Advice for the log and the health page. */
export const REFUSAL_ADVICE: Readonly<Record<SignupRefusal, string>> = {
  fields:
    'The fields that the page sends differ from those declared on the server. Give both the same declaration: SIGNUP_FIELDS of the server, or the option fields.',
  'human-check':
    'The page sends no token of the human check that the server asks for. Add the check to the form, or set HUMAN_CHECK to off. Bots are refused for this, too.',
  blocked: 'No action needed: BLOCK_DOMAINS refuses these addresses.',
  disposable: 'No action needed. If people complain, set BLOCK_DISPOSABLE to off.',
  misspelled: 'No action needed: people see that their address looks misspelled.',
  personal: 'No action needed. Add a domain that is not a personal email provider to ACCEPT_DOMAINS.',
  undeliverable: 'No action needed. If people complain, check the DNS servers of this machine, or set CHECK_MX to off.',
};

/** Counts rejected signups since the start, and logs each reason at most once an hour. */
export function signupRefusals({ log, clock }: { readonly log: Log; readonly clock: Clock }) {
  const counts = new Map<SignupRefusal, number>();
  const loggedAt = new Map<SignupRefusal, number>();
  return {
    counts: (): Partial<Record<SignupRefusal, number>> => Object.fromEntries(counts),
    /** `problem` contains the field's name, never its value or the address. */
    note(reason: SignupRefusal, problem: string): void {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      if (clock() - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
      loggedAt.set(reason, clock());
      const level = PAGE_MISTAKES.some((mistake) => mistake === reason) ? 'warn' : 'info';
      log(level, 'signup-refused', { reason, problem, fix: REFUSAL_ADVICE[reason] });
    },
  };
}
