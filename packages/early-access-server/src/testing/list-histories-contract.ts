import { HOUR_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import {
  firstState,
  maySignUpAgain,
  nextState,
  PENDING_MS,
  PERSON_EVENTS,
  type PersonState,
} from '../app/lifecycle/states.ts';
import { MAILS_PER_MAILBOX_AND_DAY } from '../app/mail/mail-quota.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { ClaimedMessage } from '../app/ports/store.ts';
import { exampleSignup, numbers } from './examples.ts';
import { claim, LEASE_MS, linkHash, readStates, type SetUp, unsubscribeHash } from './harness.ts';

const EMAILS = Array.from({ length: 8 }, (_, n) => `p${n}@x${n}.io`);
const STEPS = 150;

/**
 * Tests random histories of a list in two processes: actions of people and admins, in any order, concurrent and
 * repeated, and processes that end.
 */
export function listHistoriesContract(setUp: SetUp, histories: number): void {
  it.each(Array.from({ length: histories }, (_, index) => index + 1))(
    'no history of the list makes a forbidden change, sends an email twice or loses a person (%i)',
    async (seed) => {
      const confirm = seed % 2 === 0;
      const { store, open, clock } = await setUp({ confirm, mailsPerHour: 10_000 });
      const stores = [store, open()];
      const random = numbers(seed);
      const either = () => stores[random(2)] ?? store;
      const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)];
      const email = () => pick(EMAILS) ?? '';
      /** Every claimed message: its links may be opened at any time, several times. */
      const opened: ClaimedMessage[] = [];
      let inProgress: ClaimedMessage[] = [];
      /** When each message was last attempted, including messages of people who were erased or have signed up again. */
      const attempts = new Map<string, { readonly email: string; readonly at: number }>();
      /**
       * Deliveries that the mail server accepted or may have accepted, by message, and how many of them an admin
       * requested.
       */
      const deliveries = new Map<string, number>();
      let resent = 0;
      const added = new Set<string>();
      const removed = new Set<string>();
      let invited = 0;
      let redeemed = 0;

      function delivered({ messageKey }: ClaimedMessage): void {
        deliveries.set(messageKey, (deliveries.get(messageKey) ?? 0) + 1);
      }
      /** Half of the time, runs the action twice at the same time, once in each process. */
      async function maybeTwice(action: (store: (typeof stores)[number]) => Promise<unknown>): Promise<void> {
        await Promise.all(random(2) === 0 ? [action(either())] : stores.map(action));
      }

      const steps: readonly (() => Promise<unknown>)[] = [
        async () => {
          const signup = exampleSignup({ email: email() });
          added.add(signup.email);
          removed.delete(signup.email);
          await maybeTwice((each) => each.createSignup(signup));
        },
        async () => {
          const message = await claim(either());
          if (message === null) return;
          inProgress.push(message);
          opened.push(message);
          attempts.set(message.messageKey, { email: message.email, at: clock.now });
          const ofDay = [...attempts.values()].filter(
            ({ email, at }) => email === message.email && at > clock.now - 24 * HOUR_MS,
          );
          expect(ofDay.length).toBeLessThanOrEqual(MAILS_PER_MAILBOX_AND_DAY);
        },
        async () => {
          const [message] = inProgress.splice(random(inProgress.length), 1);
          if (message === undefined) return;
          const result = random(6);
          if (result === 0) {
            await either().mails.recordOutcome(message, { state: 'queued', retryAt: clock.now, reason: '451' });
          } else if (result === 1) {
            await either().mails.recordOutcome(message, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
          } else {
            delivered(message);
            await maybeTwice((each) => each.mails.recordOutcome(message, { state: 'sent' }));
          }
        },
        async () => {
          // The process ends; the mail server may have accepted its message.
          if (random(3) > 0) return;
          inProgress.forEach(delivered);
          inProgress = [];
          clock.now += LEASE_MS + 1;
          await maybeTwice((each) => each.mails.expireLeases() as Promise<number>);
        },
        async () => {
          const message = pick(opened);
          if (message) await maybeTwice((each) => each.list.confirm(linkHash(message), null));
        },
        async () => {
          const message = random(4) === 0 ? pick(opened) : undefined;
          if (message) await maybeTwice((each) => each.list.unsubscribe(unsubscribeHash(message)));
        },
        async () => {
          const message = pick(opened);
          if (message) await maybeTwice((each) => each.list.renewConfirmation(linkHash(message)));
        },
        async () => {
          const [last] = await store.list.waves(1);
          const request = { after: last?.id ?? null, who: { count: 1 + random(3), filter: EVERYONE } };
          const before = (await store.list.counts()).get('subscribed') ?? 0;
          const results = await Promise.all(stores.map((each) => each.list.invite(request)));
          const waves = results.filter((result) => typeof result !== 'string');
          expect(waves.length).toBe(before > 0 ? 1 : 0);
          invited += waves[0]?.people ?? 0;
        },
        async () => {
          const [last] = await store.list.waves(1);
          if (last && random(3) === 0) invited -= await either().list.withdraw(last.id);
        },
        async () => {
          const message = pick(opened);
          if (!message) return;
          const results = await Promise.all(stores.map((each) => each.list.redeemInvite(linkHash(message))));
          const won = results.filter(({ result }) => result === 'redeemed').length;
          expect(won).toBeLessThanOrEqual(1);
          redeemed += won;
        },
        async () => {
          if (random(3) > 0) return;
          if ((await either().mails.resend(email())) === 'queued') resent += 1;
        },
        async () => {
          if (random(6) > 0) return;
          const erased = email();
          await either().erase(erased);
          removed.add(erased);
        },
        async () => {
          clock.now += random(20) === 0 ? PENDING_MS : random(30) * HOUR_MS;
          await maybeTwice((each) => each.list.tidyPending(10));
        },
      ];

      let before = await readStates(store);
      for (let step = 0; step < STEPS; step += 1) {
        await steps[random(steps.length)]?.();
        const after = await readStates(store);
        for (const address of EMAILS) expectAllowed(address, before[address], after[address], confirm);
        before = after;
      }

      // Only an admin's request may send a message again, and only a link that was sent can make someone join.
      const repeated = [...deliveries.values()].reduce((sum, times) => sum + times - 1, 0);
      expect(repeated).toBeLessThanOrEqual(resent);
      expect(redeemed).toBeLessThanOrEqual(invited);
      // Without confirmation only an admin's `erase` removes people.
      if (!confirm) {
        expect(Object.keys(before).toSorted()).toEqual([...added].filter((each) => !removed.has(each)).toSorted());
      }
    },
  );
}

/** Each step makes at most one change per person, no matter how often it is repeated. */
function expectAllowed(
  email: string,
  before: PersonState | undefined,
  after: PersonState | undefined,
  confirm: boolean,
): void {
  if (before === after || after === undefined) return;
  const reachable = new Set<PersonState>(before === undefined ? [firstState(confirm)] : statesAfter(before));
  expect(reachable, `${email}: ${before} -> ${after}`).toContain(after);
}

function statesAfter(before: PersonState): readonly PersonState[] {
  if (maySignUpAgain(before)) return ['pending'];
  // A retry returns to the state before the address bounced, which may be any of these.
  if (before === 'bounced') return ['pending', 'subscribed', 'invited', 'joined', 'unsubscribed'];
  return PERSON_EVENTS.flatMap((event) => nextState(before, event) ?? []);
}
