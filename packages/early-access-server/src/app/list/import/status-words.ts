import { PERSON_STATES, type PersonState } from '../states.ts';
import { normalizeName, splitNames } from './import-fields.ts';

/** The names of the states in other products. */
const WORDS: Readonly<Record<PersonState, string>> = {
  subscribed: `
    subscribed, subscriber, active, enabled, confirmed, regular, premium, opted in, opt in, optin, angemeldet, aktiv, abonniert,
    inscrit, abonné, actif, suscrito, activo, iscritto, attivo, ingeschreven, actief`,
  pending: 'pending, unconfirmed, unactivated, not confirmed, awaiting confirmation, pending confirmation',
  invited: 'invited',
  joined: 'joined',
  unsubscribed: `
    unsubscribed, unsubscribe, unsub, not subscribed, never subscribed, non subscribed, transactional, opted out, opt out, optout,
    blocklisted, blacklisted, blocked, disabled, suppressed, removed, cancelled, canceled, deleted, archived, complained,
    complaint, spam, spammy, marked as spam, abgemeldet, désabonné, désinscrit, dado de baja, baja, disiscritto, uitgeschreven`,
  bounced: 'bounced, bounce, cleaned, hard bounce, hard bounced, hardbounce, undeliverable, invalid',
};

const STATES: ReadonlyMap<string, PersonState> = new Map(
  PERSON_STATES.flatMap((state) => splitNames(WORDS[state]).map((word) => [word, state] as const)),
);

/** Longer than every word, or with a digit: most cells, so that a large file is read fast. */
const NO_WORD = /^.{40}|\d|@/s;

/** Null for words that are not known to name a state. */
export function findState(cell: string): PersonState | null {
  return NO_WORD.test(cell) ? null : (STATES.get(normalizeName(cell)) ?? null);
}

/** They name the state of many things, such as an order. */
const VAGUE_WORDS: ReadonlySet<string> = new Set(
  splitNames(
    'disabled, blocked, removed, cancelled, canceled, deleted, archived, invalid, spam, complaint, transactional, baja, bounce',
  ),
);

/** Whether the cell says that a person must not be subscribed, even if its column has another name. */
export function isOptOut(cell: string): boolean {
  const state = findState(cell);
  if (state === 'pending') return /^(unconfirmed|unactivated|not confirmed)$/i.test(cell.trim());
  return (state === 'unsubscribed' || state === 'bounced') && !VAGUE_WORDS.has(normalizeName(cell));
}

const YES: ReadonlySet<string> = new Set(splitNames('true, yes, y, on, 1, x, ja, oui, si, sim, wahr, vrai'));
const NO: ReadonlySet<string> = new Set(splitNames('false, no, n, off, 0, nein, non, não, nee, falsch, faux'));

/** Null for anything else. */
export function parseYesNo(cell: string): boolean | null {
  const word = normalizeName(cell);
  return YES.has(word) || (NO.has(word) ? false : null);
}
