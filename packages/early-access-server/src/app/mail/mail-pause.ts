import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { readField } from '../text/read-field.ts';
import { outageDelay } from './circuit-breaker.ts';
import type { Refusal } from './classify-reply.ts';
import type { MessageOutcome } from './message-state.ts';

/** How many people in a row have to be rejected before the queue pauses. Fewer could be coincidence. */
const ENOUGH_PEOPLE: Readonly<Partial<Record<Refusal, number>>> = { 'perhaps-ours': 2, unclear: 3 };
const MAX_SUSPECTS = 3;

/** A recipient whose refusal may be their problem or ours. */
interface Suspect {
  /** An id that does not reveal the address. */
  readonly person: string;
  /** The key of the address's domain (`domainKey`). */
  readonly domain: string;
}

/** The mail server cannot be reached or accepts no email. */
interface Outage {
  readonly since: number;
  /** Failed attempts in a row. */
  readonly failures: number;
  /** No attempts are made until this time. */
  readonly until: number;
  readonly reason: string;
}

/**
 * The condition of the mail server, derived from the latest attempts and independent of their recipients. All processes
 * respect it. A store saves it as JSON with the outcome of an attempt, and deletes it once a message is accepted. Times
 * are epoch milliseconds.
 */
export interface MailPause {
  /** Consecutive refusals, each of which makes the pause longer. 0: the queue is not paused. */
  readonly refusals: number;
  /** Time of the first refusal. */
  readonly since: number;
  /** Nothing is sent until this time. Then one message is attempted; if it is accepted, others follow. */
  readonly until: number;
  /** The key of a message that is being sent to find out whether everyone is rejected, or null. */
  readonly probe: string | null;
  /** The mail server's last reply. Contains no address. */
  readonly reason: string;
  /**
   * The latest people in a row who were rejected for a reason that may be theirs. If they all have the same domain,
   * messages to other domains are not paused and are attempted first.
   */
  readonly suspects: readonly Suspect[];
  readonly outage: Outage | null;
}

/**
 * How long the queue pauses after this number of consecutive refusals, in milliseconds. Doubles from a minute up to an
 * hour.
 */
export function pauseDelay(refusals: number): number {
  return Math.min(HOUR_MS, MINUTE_MS * 2 ** (refusals - 1));
}

/** Returns whether nothing may be sent now. If the clock was set back, the pause does not become longer. */
export function isPaused(pause: MailPause | null, now: number): boolean {
  return pause !== null && pause.refusals > 0 && pause.until > now && pause.until - now <= HOUR_MS;
}

/**
 * Domains whose messages are not claimed while messages to other domains wait. Empty if there are no suspects, or if
 * the queue is paused for everyone.
 */
export function domainsToAvoid(pause: MailPause | null, now: number): ReadonlySet<string> {
  const domains = new Set(pause?.suspects.map(({ domain }) => domain));
  return pause !== null && isPaused(pause, now) && !isOfOneDomain(pause) ? new Set() : domains;
}

function isOfOneDomain({ suspects, probe }: MailPause): boolean {
  return probe === null && new Set(suspects.map(({ domain }) => domain)).size === 1;
}

/** Returns whether a message to this domain may be attempted now. A pause caused by one domain affects no others. */
export function mayAttempt(pause: MailPause | null, domain: string, now: number): boolean {
  if (pause === null || !isPaused(pause, now)) return true;
  return isOfOneDomain(pause) && !domainsToAvoid(pause, now).has(domain);
}

/**
 * Returns the pause with this message as its probe. After a pause, other messages wait for the probe's outcome. If only
 * single recipients were rejected, others are sent at the same time.
 */
export function beginProbe(
  pause: MailPause | null,
  messageKey: string,
  now: number,
  leaseMs: number,
): MailPause | null {
  if (pause === null) return null;
  const isSuspicion = pause.refusals === 0;
  if (isSuspicion && (pause.suspects.length === 0 || (pause.probe !== null && pause.until > now))) return pause;
  return { ...pause, until: now + leaseMs, probe: messageKey };
}

/** Ends the pause because the admin wants the next message to be attempted now. */
export function endPause(pause: MailPause | null, now: number): MailPause | null {
  return pause && isPaused(pause, now) ? { ...pause, until: now, probe: null } : pause;
}

/** The recipient of an attempted message. */
export interface Attempted extends Suspect {
  readonly messageKey: string;
}

/** Returns the pause after an attempt. Null: there is no sign of a problem with the mail server. */
export function afterOutcome(
  pause: MailPause | null,
  outcome: MessageOutcome,
  attempted: Attempted,
  now: number,
): MailPause | null {
  if (outcome.state === 'sent') return null;
  const { reason } = outcome;
  const refusal = outcome.state === 'unknown' ? null : outcome.refusal;
  const isProbe = pause?.probe === attempted.messageKey;
  // Messages that were already in progress when the pause began add no information.
  if (isPaused(pause, now) && !isProbe) return pause;
  const reached = pause && { ...pause, outage: null };
  switch (refusal) {
    case 'our-problem':
      return paused(reached, reason, [], now);
    case 'perhaps-ours':
    case 'unclear':
      return afterSuspicion(reached, { refusal, reason, attempted, isProbe }, now);
    case 'no-mailbox':
    case 'content':
      return null;
    case 'unreachable': {
      const failures = (pause?.outage?.failures ?? 0) + 1;
      const until = now + outageDelay(failures);
      const outage = { since: pause?.outage?.since ?? now, failures, until, reason };
      return { ...(afterProbe(pause, isProbe, now) ?? noPause(reason, now)), outage };
    }
    default: {
      const next = afterProbe(refusal === 'later' ? reached : pause, isProbe, now);
      return next && next.refusals === 0 && next.suspects.length === 0 && next.outage === null ? null : next;
    }
  }
}

/** The message may not have reached the server, so the next one is attempted after the same time. */
function afterProbe(pause: MailPause | null, isProbe: boolean, now: number): MailPause | null {
  if (!isProbe || pause === null) return pause;
  return { ...pause, until: pause.refusals === 0 ? now : now + pauseDelay(pause.refusals), probe: null };
}

interface Suspicion {
  readonly refusal: 'perhaps-ours' | 'unclear';
  readonly reason: string;
  readonly attempted: Attempted;
  readonly isProbe: boolean;
}

/**
 * Never pauses the queue because of one recipient, or because of one domain while messages to others are waiting. A
 * second person must be rejected, and at a different domain unless all waiting messages have the same one.
 */
function afterSuspicion(
  pause: MailPause | null,
  { refusal, reason, attempted: { person, domain }, isProbe }: Suspicion,
  now: number,
): MailPause {
  const others = (pause?.suspects ?? []).filter((suspect) => suspect.person !== person);
  const suspects = [...others, { person, domain }].slice(-MAX_SUSPECTS);
  const isOfSeveral = suspects.some((suspect) => suspect.domain !== domain);
  const isEveryone = suspects.length >= (ENOUGH_PEOPLE[refusal] ?? MAX_SUSPECTS) && (isOfSeveral || isProbe);
  const wasPaused = pause !== null && pause.refusals > 0;
  if (!isEveryone && !(wasPaused && isProbe)) {
    return { ...(afterProbe(pause, isProbe, now) ?? noPause(reason, now)), reason, suspects };
  }
  const next = paused(pause, reason, suspects, now);
  // A repeated refusal of the same person adds no information and must not make the pause longer.
  const isKnown = wasPaused && others.length < pause.suspects.length;
  return isKnown ? { ...next, refusals: pause.refusals, until: now + pauseDelay(1) } : next;
}

function noPause(reason: string, now: number): MailPause {
  return { refusals: 0, since: now, until: now, probe: null, reason, suspects: [], outage: null };
}

function paused(pause: MailPause | null, reason: string, suspects: readonly Suspect[], now: number): MailPause {
  const before = pause?.refusals ?? 0;
  const refusals = before + 1;
  const since = before > 0 && pause ? pause.since : now;
  return { refusals, since, until: now + pauseDelay(refusals), probe: null, reason, suspects, outage: null };
}

/** The mail server does not send, although the queue is not paused. */
export type MailTrouble =
  /** The server cannot be reached. */
  | { readonly kind: 'unreachable'; readonly since: number; readonly until: number; readonly reason: string }
  /** The last recipients were rejected, possibly because of us, and none was accepted since. */
  | { readonly kind: 'recipient-refused'; readonly since: number; readonly reason: string };

export function nextAttemptAt(
  dueAt: number,
  {
    spentUntil,
    pause,
    trouble,
  }: {
    readonly spentUntil: number | null;
    readonly pause: Pick<MailPause, 'until'> | null;
    readonly trouble: MailTrouble | null;
  },
): number {
  const reachableAt = trouble?.kind === 'unreachable' ? trouble.until : 0;
  return Math.max(dueAt, spentUntil ?? 0, pause?.until ?? 0, reachableAt);
}

export function readTrouble(pause: MailPause | null): MailTrouble | null {
  if (pause === null || pause.refusals > 0) return null;
  const { outage, since, reason, suspects } = pause;
  if (outage !== null) return { kind: 'unreachable', since: outage.since, until: outage.until, reason: outage.reason };
  return suspects.length === 0 ? null : { kind: 'recipient-refused', since, reason };
}

/** Parses a stored pause. Throws if the JSON is invalid. */
export function readMailPause(json: string): MailPause {
  const data: unknown = JSON.parse(json);
  const [refusals, since, until] = [readField(data, 'refusals'), readField(data, 'since'), readField(data, 'until')];
  const [probe, reason, suspects] = [readField(data, 'probe'), readField(data, 'reason'), readField(data, 'suspects')];
  if (
    typeof refusals !== 'number' ||
    typeof since !== 'number' ||
    typeof until !== 'number' ||
    typeof reason !== 'string' ||
    !(typeof probe === 'string' || probe === null) ||
    !Array.isArray(suspects)
  )
    throw unreadable();
  const outage = readOutage(readField(data, 'outage'));
  return { refusals, since, until, probe, reason, suspects: suspects.map(readSuspect), outage };
}

function readSuspect(data: unknown): Suspect {
  const [person, domain] = [readField(data, 'person'), readField(data, 'domain')];
  if (typeof person !== 'string' || typeof domain !== 'string') throw unreadable();
  return { person, domain };
}

function readOutage(data: unknown): Outage | null {
  if (data === null) return null;
  const [since, failures, until] = [readField(data, 'since'), readField(data, 'failures'), readField(data, 'until')];
  const reason = readField(data, 'reason');
  if (
    typeof since !== 'number' ||
    typeof failures !== 'number' ||
    typeof until !== 'number' ||
    typeof reason !== 'string'
  )
    throw unreadable();
  return { since, failures, until, reason };
}

function unreadable(): TypeError {
  return new TypeError('a stored pause of the mail queue is unreadable');
}
