import { HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { readField } from '../text/read-field.ts';
import { outageDelay } from './circuit-breaker.ts';
import type { Refusal } from './classify-reply.ts';
import type { MessageOutcome } from './message-state.ts';

/**
 * The people in a row whose refusals pause the queue, by what the mail server said. Fewer say nothing about the others.
 */
const ENOUGH_PEOPLE: Readonly<Partial<Record<Refusal, number>>> = { 'perhaps-ours': 2, unclear: 3 };
const MAX_SUSPECTS = 3;

/** A recipient who was refused for a reason that may be theirs or ours. */
interface Suspect {
  /** An id that does not reveal the address. */
  readonly person: string;
  /** The key of the address's domain (`domainKey`). */
  readonly domain: string;
}

/** The mail server cannot be reached, or accepts no email. */
interface Outage {
  readonly since: number;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** No attempt is made before. */
  readonly until: number;
  readonly reason: string;
}

/**
 * The state of the mail server as the last messages in a row showed it, which is not about their recipients. Every
 * process respects it. A store saves it as JSON with the outcome of the attempt, and deletes it once a message is
 * accepted. Times are epoch milliseconds.
 */
export interface MailPause {
  /** Refusals in a row, each of which makes the pause longer. 0: the queue is not paused. */
  readonly refusals: number;
  /** When the first of them was. */
  readonly since: number;
  /** Nothing is sent until then. Then one message is tried, and others follow if the server accepts it. */
  readonly until: number;
  /**
   * The key of that message while it is being sent, or of the one to another recipient that shows whether everyone is
   * refused.
   */
  readonly probe: string | null;
  /** The last reply of the mail server. Contains no address. */
  readonly reason: string;
  /**
   * The last people in a row who were refused for a reason that may be theirs. If all are of one domain, the pause does
   * not hold up messages to other domains, which are tried first.
   */
  readonly suspects: readonly Suspect[];
  readonly outage: Outage | null;
}

/** Milliseconds that the queue pauses after this number of refusals in a row: doubles from a minute up to an hour. */
export function pauseDelay(refusals: number): number {
  return Math.min(HOUR_MS, MINUTE_MS * 2 ** (refusals - 1));
}

/** Whether nothing may be sent now. A clock that was set back must not make a pause longer. */
export function isPaused(pause: MailPause | null, now: number): boolean {
  return pause !== null && pause.refusals > 0 && pause.until > now && pause.until - now <= HOUR_MS;
}

/**
 * The domains to which no message is claimed if one to another domain waits. None if there is no suspicion, or if the
 * queue is paused for everyone.
 */
export function domainsToAvoid(pause: MailPause | null, now: number): ReadonlySet<string> {
  const domains = new Set(pause?.suspects.map(({ domain }) => domain));
  return pause !== null && isPaused(pause, now) && !isOfOneDomain(pause) ? new Set() : domains;
}

function isOfOneDomain({ suspects, probe }: MailPause): boolean {
  return probe === null && new Set(suspects.map(({ domain }) => domain)).size === 1;
}

/** Whether a message to this domain may be attempted now: a pause that one domain caused holds up no other. */
export function mayAttempt(pause: MailPause | null, domain: string, now: number): boolean {
  if (pause === null || !isPaused(pause, now)) return true;
  return isOfOneDomain(pause) && !domainsToAvoid(pause, now).has(domain);
}

/**
 * The pause when this message is sent to find out if the server works: once the pause is over, while other messages
 * wait for its outcome, or if recipients were refused, while others are sent, too.
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

/** The pause when the admin wants the next message to be tried now. */
export function endPause(pause: MailPause | null, now: number): MailPause | null {
  return pause && isPaused(pause, now) ? { ...pause, until: now, probe: null } : pause;
}

/** Who was to receive a message. */
export interface Attempted extends Suspect {
  readonly messageKey: string;
}

/** The pause after an attempt. Null: nothing speaks against the mail server. */
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
  // Messages that were in progress when the pause began say nothing new.
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

/** The message may not have reached the server, so the next one is tried after the same time. */
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
 * One recipient, or one domain while others wait, never pauses the queue: it takes another person, of another domain
 * unless the one of the others was the only one that waited.
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
  // Someone who was refused before says nothing new, and must not make others wait longer.
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

/** The mail server does not send, and the queue is not paused. */
export type MailTrouble =
  /** It cannot be reached. */
  | { readonly kind: 'unreachable'; readonly since: number; readonly until: number; readonly reason: string }
  /**
   * It has refused the last recipients, perhaps for a reason that is ours, and no other recipient was accepted since.
   */
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

/** The pause in stored JSON. Throws if it is none. */
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
