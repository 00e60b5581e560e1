import { HOUR_MS, MINUTE_MS } from 'early-access-kit/core';
import { readField } from '../signup/read-field.ts';
import type { MessageOutcome } from './message-state.ts';

/** If this number of people in a row are refused without a known reason, the reason is not with them. */
const UNCLEAR_PEOPLE = 3;

/**
 * Refusals of the mail server that are about this server and not about a recipient. The queue pauses, and every process respects it.
 * A store saves it as JSON with the outcome of the attempt, and deletes it once a message is accepted. Times are epoch milliseconds.
 */
export interface MailPause {
  /** Refusals in a row, each of which makes the pause longer. 0: the queue is not paused, but people were refused for unclear reasons. */
  readonly refusals: number;
  /** When the first of them was. */
  readonly since: number;
  /** Nothing is sent until then. Then one message is tried, and others follow if the server accepts it. */
  readonly until: number;
  /** The key of that message while it is being sent. */
  readonly probe: string | null;
  /** The last reply of the mail server. Contains no address. */
  readonly reason: string;
  /** Ids of the people in a row who were refused for unclear reasons, at most `UNCLEAR_PEOPLE`. */
  readonly people: readonly string[];
}

/** Milliseconds that the queue pauses after this number of refusals in a row: doubles from a minute up to an hour. */
export function pauseDelay(refusals: number): number {
  return Math.min(HOUR_MS, MINUTE_MS * 2 ** (refusals - 1));
}

/** Whether nothing may be sent now. A clock that was set back must not make a pause longer. */
export function isPaused(pause: MailPause | null, now: number): boolean {
  return pause !== null && pause.refusals > 0 && pause.until > now && pause.until - now <= HOUR_MS;
}

/** The pause once it is over and this message is sent to find out if the server works again. Other messages wait for its outcome. */
export function beginProbe(
  pause: MailPause | null,
  messageKey: string,
  now: number,
  leaseMs: number,
): MailPause | null {
  if (pause === null || pause.refusals === 0) return pause;
  return { ...pause, until: now + leaseMs, probe: messageKey };
}

/** The pause when the admin wants the next message to be tried now. */
export function endPause(pause: MailPause | null, now: number): MailPause | null {
  return pause && isPaused(pause, now) ? { ...pause, until: now, probe: null } : pause;
}

/** Who was to receive a message. */
export interface Attempted {
  readonly messageKey: string;
  /** An id that does not reveal the address. */
  readonly person: string;
}

/** The pause after an attempt. Null: there is none, and no message was refused for an unclear reason since the last one that was accepted. */
export function afterOutcome(
  pause: MailPause | null,
  outcome: MessageOutcome,
  { messageKey, person }: Attempted,
  now: number,
): MailPause | null {
  const isProbe = pause?.probe === messageKey;
  if (outcome.state === 'sent') return null;
  const { reason } = outcome;
  const refusal = outcome.state === 'unknown' ? null : outcome.refusal;
  // Messages that were in progress when the pause began say nothing new.
  if (isPaused(pause, now) && !isProbe) return pause;
  switch (refusal) {
    case 'our-problem':
      return paused(pause, reason, [], now);
    case 'unclear': {
      const people = [...new Set([...(pause?.people ?? []), person])].slice(-UNCLEAR_PEOPLE);
      if (people.length === UNCLEAR_PEOPLE || isProbe) return paused(pause, reason, people, now);
      return { refusals: 0, since: now, until: now, probe: null, reason, people };
    }
    case 'no-mailbox':
    case 'content':
      return null;
    default:
      // The message may not have reached the server, so the next one is tried after the same time.
      return isProbe && pause ? { ...pause, until: now + pauseDelay(pause.refusals), probe: null } : pause;
  }
}

function paused(pause: MailPause | null, reason: string, people: readonly string[], now: number): MailPause {
  const before = pause?.refusals ?? 0;
  const refusals = before + 1;
  const since = before > 0 && pause ? pause.since : now;
  return { refusals, since, until: now + pauseDelay(refusals), probe: null, reason, people };
}

/** The pause in stored JSON. Throws if it is none. */
export function readMailPause(json: string): MailPause {
  const data: unknown = JSON.parse(json);
  const [refusals, since, until] = [readField(data, 'refusals'), readField(data, 'since'), readField(data, 'until')];
  const [probe, reason, people] = [readField(data, 'probe'), readField(data, 'reason'), readField(data, 'people')];
  if (
    typeof refusals !== 'number' ||
    typeof since !== 'number' ||
    typeof until !== 'number' ||
    typeof reason !== 'string' ||
    !(typeof probe === 'string' || probe === null) ||
    !Array.isArray(people)
  )
    throw new TypeError('a stored pause of the mail queue is unreadable');
  return { refusals, since, until, probe, reason, people: people.map(String) };
}
