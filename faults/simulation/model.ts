import { type EmailSignup, type SessionUpdate, summarize } from 'early-access-kit/internal';
import { PENDING_MS } from '../../packages/early-access-server/src/app/lifecycle/states.ts';
import type { Moment } from './services.ts';
import { isInFile, type Stored } from './stored.ts';
import { LEASE_MS, type World } from './world.ts';

/** The application's promises in a history. The checks throw an `Error` that names the broken promise. */
export interface Model {
  /** A signup has arrived at a process. Call the returned function once there is a response. */
  arrived(signup: EmailSignup): () => void;
  /** The response told the visitor that the signup is stored. */
  created(signup: EmailSignup): void;
  /** The response told the visitor that the address is already on the list. */
  duplicate(signup: EmailSignup): void;
  /** The response told a session's page that its totals are stored. */
  acknowledged(session: string, totals: Pick<SessionUpdate, 'page_count' | 'click_count'>): void;
  /** An admin resends this person's message. */
  resending(email: string): void;
  redeemed(token: string): void;
  /**
   * A process starts to erase a person. Call the returned function with the stored data once it has succeeded or
   * failed.
   */
  erasing(email: string, before: Stored): (now: Stored, mailsBefore: number) => void;
  /** The response told the admin that everything about a person is erased. */
  traceless(email: string, world: World): void;
  /** Must hold after each step. */
  check(stored: Stored, world: World): void;
  /** Returns whether anything is queued. */
  isWaiting(stored: Stored): boolean;
  /** Must hold once nothing has failed for a week. */
  checkAtTheEnd(stored: Stored, world: World): void;
}

/** The expected state of one address since it was last erased. */
interface Address {
  readonly submissions: Set<string>;
  isPromised: boolean;
  resent: number;
  /** The number of emails sent before the erasure, and the messages that were being sent then. */
  readonly mailsBefore: number;
  readonly sending: readonly string[];
}

export function createModel(): Model {
  const addresses = new Map<string, Address>();
  const sessions = new Map<string, { page_count: number; click_count: number }>();
  const erasedSessions = new Set<string>();
  /** Addresses with signups during an erasure, which may have been stored before or after it. */
  const maybeErased = new Set<string>();
  /** The submissions of these signups. */
  const uncertain = new Set<string>();
  const arrivals: Pick<EmailSignup, 'email' | 'submission_id' | 'session_id'>[] = [];
  const inProgress = new Set<(typeof arrivals)[number]>();
  const redeemed = new Set<string>();
  let last: Stored | null = null;
  let mailsSeen = 0;
  let firstUncheckedPost = 0;
  const confirmed = new Map<string, Moment>();
  const of = (email: string): Address => {
    const known = addresses.get(email) ?? {
      submissions: new Set(),
      isPromised: false,
      resent: 0,
      mailsBefore: 0,
      sending: [],
    };
    addresses.set(email, known);
    return known;
  };
  const findPerson = (email: string) => last?.people.find((person) => person.email === email);

  function checkPeople({ people, messages, events }: Stored, now: number): void {
    const emails = new Set(people.map(({ email }) => email));
    if (emails.size !== people.length) fail('an address is stored twice');
    for (const { email, submissionId, id, state, createdAt } of people) {
      if (!of(email).submissions.has(submissionId)) fail('a person reappeared who was erased');
      const before = findPerson(email);
      // People who were not on the list confirm their latest submission.
      const wasOnList = before !== undefined && before.state !== 'pending' && before.state !== 'unsubscribed';
      if (wasOnList && before.id === id && before.createdAt === createdAt && before.submissionId !== submissionId)
        fail('a stored signup was changed');
      const own = messages.filter((message) => message.signupId === id);
      // A resent confirmation is dropped if an earlier link is used first.
      const mayHaveNone = state === 'unsubscribed' || of(email).resent > 0;
      if (own.length === 0 && !mayHaveNone) fail('a person is stored without a message');
      for (const kind of ['welcome', 'reminder']) {
        const count = own.filter((message) => message.kind === kind).length;
        if (count > 1 + of(email).resent) fail(`a person has ${count} messages: ${kind}`);
      }
      const created = events.filter(({ signupId, type }) => signupId === id && type === 'signup.created');
      // A person who unsubscribes and signs up again stays the same person.
      if (created.length < 1 || created.length > of(email).submissions.size) {
        fail(`a person of ${of(email).submissions.size} signups has ${created.length} events`);
      }
    }
    for (const [email, { isPromised }] of addresses) {
      if (!isPromised || emails.has(email)) continue;
      const before = findPerson(email);
      // People who never confirm are erased.
      const isExpired = before?.state === 'pending' && before.createdAt <= now - PENDING_MS;
      if (!isExpired) fail('a signup that was acknowledged is lost');
      addresses.delete(email);
    }
  }

  function checkSessions(stored: Stored): void {
    const byId = new Map(stored.sessions.map((session) => [session.id, session]));
    for (const [id, totals] of sessions) {
      const session = byId.get(id);
      if (erasedSessions.has(id)) {
        if (session !== undefined) fail('a session reappeared that was erased');
      } else if (session === undefined) {
        if (!maybeErased.has(id)) fail('a session that was acknowledged is lost');
      } else if (session.click_count < totals.click_count || session.page_count < totals.page_count) {
        fail('totals of a session that were acknowledged are lost');
      }
    }
  }

  function checkSums(stored: Stored, now: number): void {
    const summary = JSON.stringify(stored.summary);
    const expected = JSON.stringify(summarize(stored.sessions, stored.people.length, now));
    if (summary !== expected) fail(`the summary is ${summary}, and that of the rows is ${expected}`);
    for (const { id, ...counted } of stored.campaigns) {
      const own = stored.messages.filter(({ campaignId }) => campaignId === id);
      const pending = own.filter(({ state }) => state === 'queued' || state === 'sending').length;
      // Messages to people who were erased afterwards still count.
      if (counted.pending !== pending) fail(`a campaign counts ${counted.pending} messages, and ${pending} are stored`);
    }
    if (stored.orphans > 0) fail('rows of a person are left who was erased');
  }

  /** Checks `mails`, which are in the order of delivery. */
  function checkMails({ services: { mails } }: World): void {
    const sent = new Map<string, number>();
    mails.forEach(({ what: { messageId, to, subject }, accepted }, index) => {
      const address = addresses.get(to);
      if (address === undefined || index < address.mailsBefore) return;
      const wasBeingSent = address.sending.some((key) => messageId.includes(key));
      if (wasBeingSent) return;
      if (index >= mailsSeen && address.submissions.size === 0) fail('an email went to a person who was erased');
      if (!accepted) return;
      const isCampaign = subject.startsWith(LAUNCH);
      for (const key of isCampaign ? [messageId, `${to} ${subject}`] : [messageId]) {
        const times = (sent.get(key) ?? 0) + 1;
        sent.set(key, times);
        if (times > 1 + (isCampaign ? 0 : address.resent)) fail('an email was sent twice');
      }
    });
    mailsSeen = mails.length;
  }

  /** A receiver that has confirmed an event only gets it again if the confirmation could not be recorded. */
  function checkPosts({ services: { posts } }: World): void {
    for (const { what, at } of posts.slice(firstUncheckedPost)) {
      const id = what.headers['webhook-id'] ?? '';
      const before = confirmed.get(id);
      if (before !== undefined && before.failures === at.failures && before.time < at.time) {
        fail('a webhook was sent again after its success');
      }
    }
    firstUncheckedPost = posts.length;
    for (const { what, at, knownAt } of posts) {
      const id = what.headers['webhook-id'] ?? '';
      if (knownAt !== null && knownAt.time - at.time < LEASE_MS / 2) confirmed.set(id, knownAt);
    }
  }

  return {
    arrived({ email, submission_id, session_id }) {
      of(email).submissions.add(submission_id);
      const request = { email, submission_id, session_id };
      inProgress.add(request);
      arrivals.push(request);
      return () => void inProgress.delete(request);
    },
    created({ email, submission_id }) {
      // Erased before the response arrived.
      if (!of(email).submissions.has(submission_id)) return;
      const before = findPerson(email);
      const mayReplace = before === undefined || before.state === 'unsubscribed';
      if (!mayReplace && before.submissionId !== submission_id) fail('an address was signed up twice');
      if (!uncertain.has(submission_id)) of(email).isPromised = true;
    },
    duplicate({ email, submission_id }) {
      if (!of(email).submissions.has(submission_id)) return;
      if (of(email).submissions.size < 2 && findPerson(email) === undefined)
        fail('a new address was called a duplicate');
    },
    acknowledged(session, { page_count, click_count }) {
      const before = sessions.get(session) ?? { page_count: 0, click_count: 0 };
      sessions.set(session, {
        page_count: Math.max(page_count, before.page_count),
        click_count: Math.max(click_count, before.click_count),
      });
    },
    resending(email) {
      of(email).resent += 1;
    },
    redeemed(token) {
      if (redeemed.has(token)) fail('an invitation was redeemed twice');
      redeemed.add(token);
    },
    erasing: (email, before) => {
      const started = [...inProgress];
      const count = arrivals.length;
      return (now, mailsBefore) => {
        const [person, after] = [before, now].map(({ people }) => people.find((each) => each.email === email));
        // The person was not erased: a later signup would have a later time.
        if (person !== undefined && person.createdAt === after?.createdAt) return;
        const sending = before.messages
          .filter(({ signupId, state }) => signupId === person?.id && state === 'sending')
          .map(({ messageKey }) => messageKey);
        // Signups that arrived during the erasure were stored before or after it.
        const arrived = [...started, ...arrivals.slice(count)].filter((request) => request.email === email);
        for (const { session_id, submission_id } of arrived) {
          uncertain.add(submission_id);
          if (session_id !== null) maybeErased.add(session_id);
        }
        // A signup that arrived during the erasure may have replaced an unsubscribed one, whose session was erased at
        // that time.
        const wasReplaced = person?.state === 'unsubscribed' && arrived.length > 0;
        if (person !== undefined && person.sessionId !== null) {
          (wasReplaced ? maybeErased : erasedSessions).add(person.sessionId);
        }
        const submissions = new Set(arrived.map(({ submission_id }) => submission_id));
        addresses.set(email, { submissions, isPromised: false, resent: 0, mailsBefore, sending });
      };
    },
    traceless(email, world) {
      if ([...inProgress].some((request) => request.email === email)) return;
      if (isInFile(world.file, email)) fail('an erased address is still in the database file or its WAL');
    },
    check(stored, world) {
      checkPeople(stored, world.time.now);
      checkSessions(stored);
      checkSums(stored, world.time.now);
      checkMails(world);
      checkPosts(world);
      last = stored;
    },
    isWaiting: ({ messages, unsentEvents }) =>
      unsentEvents > 0 || messages.some(({ state }) => state === 'queued' || state === 'sending'),
    checkAtTheEnd({ people, messages, campaigns, isDisabled }, { services: { mails, posts } }) {
      const tried = mails.map(({ what }) => what.messageId);
      const waiting = new Set(campaigns.filter(({ isSending }) => !isSending).map(({ id }) => id));
      for (const { messageKey, state, kind, campaignId } of messages) {
        if (campaignId !== null && waiting.has(campaignId)) continue;
        if (state === 'queued' || state === 'sending') fail(`a message (${kind}) is still ${state} after a week`);
        if (state === 'sent' && !tried.some((id) => id.includes(messageKey))) {
          fail('a message is called sent that no one tried to send');
        }
      }
      const told = new Set(posts.flatMap(({ what, accepted }) => (accepted ? [what.headers['webhook-id']] : [])));
      if (!isDisabled && told.size < people.length) fail('a receiver was not told of a signup');
    },
  };
}

/** The beginning of all launch emails' subjects. */
export const LAUNCH = 'Launch';

function fail(promise: string): never {
  throw new Error(promise);
}
