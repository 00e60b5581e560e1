import { readFileSync } from 'node:fs';
import type { EmailSignup, SessionRecord } from 'early-access-kit/core';
import type { PersonState } from '../app/list/states.ts';
import type { World } from './world.ts';

interface StoredPerson {
  readonly email: string;
  readonly submission_id: string;
  readonly state: PersonState;
}

/** A message to a person. */
interface StoredMessage {
  readonly email: string;
  readonly messageKey: string;
  readonly state: string;
}

/** What the database file contains. */
export interface Stored {
  readonly people: readonly StoredPerson[];
  readonly sessions: readonly SessionRecord[];
  readonly messages: readonly StoredMessage[];
}

/** What the application has promised in a history. Its checks throw an `Error` that says which promise was broken. */
export interface Model {
  requested(signup: EmailSignup): void;
  /** The visitor got 201. */
  created(signup: EmailSignup): void;
  /** The visitor got 200: the address is on the list already. */
  duplicate(signup: EmailSignup): void;
  visited(session: string): void;
  resent(email: string): void;
  redeemed(token: string, times: number): void;
  erased(email: string, world: World, result: { readonly existed: boolean; readonly traceless: boolean }): void;
  /** Holds after each step. */
  check(stored: Stored, world: World): void;
  /** Holds once everything has worked again for two days. */
  checkAtTheEnd(stored: Stored, world: World): void;
}

/** Of one address, since it was erased last. */
interface Address {
  readonly submissions: Set<string>;
  isPromised: boolean;
  resent: number;
  /** How many emails had been sent when it was erased. */
  readonly mailsBefore: number;
}

export function createModel(): Model {
  const addresses = new Map<string, Address>();
  const visited = new Set<string>();
  const joined = new Set<string>();
  let erasures = 0;
  let people = new Map<string, StoredPerson>();
  const of = (email: string): Address => {
    const known = addresses.get(email) ?? { submissions: new Set(), isPromised: false, resent: 0, mailsBefore: 0 };
    addresses.set(email, known);
    return known;
  };

  return {
    requested: ({ email, submission_id }) => of(email).submissions.add(submission_id),
    created({ email, submission_id }) {
      const before = people.get(email);
      const mayReplace = before === undefined || before.state === 'unsubscribed';
      if (!mayReplace && before.submission_id !== submission_id) fail('an address was signed up twice');
      of(email).isPromised = true;
    },
    duplicate({ email }) {
      if (of(email).submissions.size < 2 && !people.has(email)) fail('a new address was called a duplicate');
    },
    visited: (session) => visited.add(session),
    resent(email) {
      of(email).resent += 1;
    },
    redeemed(token, times) {
      if (times > 1 || (times === 1 && joined.has(token))) fail('an invitation was redeemed twice');
      if (times === 1) joined.add(token);
    },
    erased(email, { file, mails }, { existed, traceless }) {
      if (existed) erasures += 1;
      addresses.set(email, { submissions: new Set(), isPromised: false, resent: 0, mailsBefore: mails.length });
      if (!traceless) return;
      for (const each of [file, `${file}-wal`]) {
        if (bytesOf(each).includes(email))
          fail(`an erased address is still in ${each.endsWith('wal') ? 'the WAL' : 'the file'}`);
      }
    },

    check(stored, world) {
      people = new Map(stored.people.map((person) => [person.email, person]));
      if (people.size !== stored.people.length) fail('an address is stored twice');
      for (const { email, submission_id } of stored.people) {
        if (!of(email).submissions.has(submission_id)) fail('a person reappeared who was erased');
        if (!stored.messages.some((message) => message.email === email)) fail('a person is stored without a message');
      }
      for (const [email, { isPromised }] of addresses) {
        if (isPromised && !people.has(email)) fail('a signup that was acknowledged is lost');
      }
      const sessions = new Set(stored.sessions.map(({ id }) => id));
      for (const id of visited) if (!sessions.has(id)) fail('a session that was acknowledged is lost');

      const sent = new Map<string, number>();
      world.mails.forEach(({ what: { messageId, to }, accepted }, index) => {
        const address = addresses.get(to);
        if (address === undefined || index < address.mailsBefore) return;
        if (address.submissions.size === 0) fail('an email went to a person who was erased');
        if (accepted) sent.set(messageId, (sent.get(messageId) ?? 0) + 1);
        if ((sent.get(messageId) ?? 0) > 1 + address.resent) fail('an email was sent twice');
      });
    },

    checkAtTheEnd({ people, messages }, { mails, posts }) {
      const tried = new Set(mails.map(({ what }) => what.messageId));
      const isTried = (key: string) => [...tried].some((id) => id.includes(key));
      for (const { messageKey, state } of messages) {
        if (state === 'queued' || state === 'sending') fail(`a message is still ${state} after two days`);
        if (state === 'sent' && !isTried(messageKey)) fail('a message is called sent that no one tried to send');
      }
      const told = new Map<string, Set<string>>();
      for (const { what, accepted } of posts) {
        if (!accepted) continue;
        const { type } = JSON.parse(what.body);
        told.set(type, (told.get(type) ?? new Set()).add(what.headers['webhook-id'] ?? ''));
      }
      if ((told.get('signup.created')?.size ?? 0) < people.length) fail('a receiver was not told of a signup');
      if ((told.get('person.erased')?.size ?? 0) < erasures) fail('a receiver was not told of an erasure');
    },
  };
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0);
  }
}

function fail(promise: string): never {
  throw new Error(promise);
}
