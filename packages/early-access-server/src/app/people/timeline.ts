import { PERSON_EVENTS, type PersonHistory, STATE_TIMES, timeAfter } from '../lifecycle/states.ts';
import { MESSAGE_KINDS, type MessageKind } from '../mail/message-kinds.ts';
import type { MailState } from '../mail/message-state.ts';

/**
 * The stored events of a person. `signup`: another signup after unsubscribing. `add`: an admin added them, by hand or
 * from a file. `ask-correction`: an admin or the person entered another address. `correct`: its owner confirmed it.
 */
const STORED_EVENTS = [...PERSON_EVENTS, 'signup', 'add', 'ask-correction', 'correct'] as const;

export const TIMELINE_EVENTS = [...STORED_EVENTS, 'email'] as const;

/**
 * The cause of an event: the email whose link was opened, an admin, the person on their status page, an imported file,
 * the mail server or provider, or the time that passed without confirmation.
 */
export const CAUSES = [...MESSAGE_KINDS, 'admin', 'person', 'import', 'mail-server', 'time'] as const;
export type Cause = (typeof CAUSES)[number];

/** An event of a person. Contains no address: the one before a correction may be someone else's. */
export interface StoredEvent {
  readonly at: number;
  readonly event: (typeof STORED_EVENTS)[number];
  readonly by: Cause | null;
}

export interface TimelineEmail {
  readonly kind: MessageKind;
  readonly state: MailState;
  readonly reason: string | null;
  /** The subject of a campaign, otherwise null. */
  readonly subject: string | null;
}

export interface TimelineEntry {
  readonly at: number;
  readonly event: (typeof TIMELINE_EVENTS)[number];
  readonly by: Cause | null;
  /** Set if the entry is an email. Its time is that of the email's state. */
  readonly email: TimelineEmail | null;
}

/** The most stored events per person; older ones are dropped. */
const MAX_EVENTS = 100;
/** The most emails in a timeline, newest first. */
export const MAX_TIMELINE_EMAILS = 100;

/** Appends events to the stored ones. */
export function addEvents(stored: unknown, ...added: readonly StoredEvent[]): readonly StoredEvent[] {
  return [...readEvents(stored), ...added].slice(-MAX_EVENTS);
}

function readEvents(stored: unknown): readonly StoredEvent[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: Readonly<Record<string, unknown>>) => {
    const event = STORED_EVENTS.find((known) => known === entry.event);
    const by = CAUSES.find((known) => known === entry.by) ?? null;
    return event === undefined || typeof entry.at !== 'number' ? [] : [{ at: entry.at, event, by }];
  });
}

/** Everything known to have happened to a person, oldest first. `events` are the stored ones. */
export function createTimeline(
  person: PersonHistory & { readonly created_at: number },
  events: unknown,
  emails: readonly (TimelineEmail & { readonly at: number })[],
): readonly TimelineEntry[] {
  const stored = readEvents(events);
  const isByHand = stored.some(({ event, by, at }) => event === 'add' && by === 'admin' && at >= person.created_at);
  const signup = { at: person.created_at, event: 'signup', by: null } as const;
  // Times from an imported file, for which no event is stored.
  const fromFile = STATE_TIMES.flatMap((column): StoredEvent[] => {
    const at = person[column];
    const isStored = stored.some(({ event, at: time }) => time === at && changesTime(event, column));
    const event = PERSON_EVENTS.find((known) => changesTime(known, column));
    return at === null || isStored || event === undefined ? [] : [{ at, event, by: null }];
  });
  return [
    ...[...(isByHand ? [] : [signup]), ...fromFile, ...stored].map((entry) => ({ ...entry, email: null })),
    ...emails.map(({ at, ...email }) => ({ at, event: 'email', by: null, email }) as const),
  ].sort((a, b) => a.at - b.at);
}

function changesTime(event: StoredEvent['event'], column: (typeof STATE_TIMES)[number]): boolean {
  const known = PERSON_EVENTS.find((candidate) => candidate === event);
  return known !== undefined && timeAfter(known, 0).column === column;
}
