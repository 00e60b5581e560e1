import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../app/access/secrets.ts';
import { MAILBOX_FULL_REASON } from '../app/mail/mail-quota.ts';
import type { MessageKind } from '../app/mail/message-kinds.ts';
import type { MessageOutcome } from '../app/mail/message-state.ts';
import { EVERYONE, type PeopleQuery } from '../app/people/people.ts';
import type { ClaimedMessage, MailQueue, Store } from '../app/ports/store.ts';
import { exampleSignup } from './examples.ts';
import { claim, claimed, LEASE_MS, NOW, queueNotice, type SetUp, unsubscribeHash } from './harness.ts';

const ME = 'me@example.org';
const FIRST_PAGE: PeopleQuery = { ...EVERYONE, sort: 'oldest', limit: 10, after: null };
const SENT: MessageOutcome = { state: 'sent' };

export function mailContract(setUp: SetUp): void {
  /** A database with one signup. */
  async function setUpMessage() {
    const harness = await setUp();
    await harness.store.createSignup(exampleSignup({ email: ME }));
    const state = async () => (await harness.messages())[0]?.state;
    return { ...harness, mails: harness.store.mails, state };
  }

  describe('a message', () => {
    it('is claimed by exactly one caller in two processes, and stored as `sending` first', async () => {
      const { mails, open, messages } = await setUpMessage();
      const other = open().mails;
      const claims = await Promise.all([mails, other, mails, other].map((queue) => claim({ mails: queue })));
      expect(claims.filter((message) => message !== null)).toMatchObject([{ email: ME, attempts: 1 }]);
      expect(await messages()).toMatchObject([{ email: ME, state: 'sending', attempts: 1 }]);
      expect(await mails.isBeingSent(ME)).toBe(true);
    });

    it('is claimed once, if many are due and many callers claim', async () => {
      const { store, open } = await setUp();
      const emails = people(6);
      await signUp(store, emails);
      const other = open().mails;
      const cursors = [store.mails.due(), store.mails.due(), other.due()];
      const claimed: string[] = [];
      await Promise.all(
        cursors.map(async (due) => {
          for (;;) {
            const next = await due.claimNext();
            if (next === 'nothing') return;
            if (typeof next !== 'string') claimed.push(next.email);
          }
        }),
      );
      expect(claimed.toSorted()).toEqual(emails);
    });

    it('is claimed after the messages that have been due longer', async () => {
      const { store, clock } = await setUp();
      const emails = ['c@x.io', 'a@x.io', 'b@x.io'];
      for (const email of emails) {
        await signUp(store, [email]);
        clock.now += 1_000;
      }
      const due = store.mails.due();
      const claims: (string | undefined)[] = [];
      for (const _ of emails) {
        const next = await due.claimNext();
        claims.push(typeof next === 'string' ? undefined : next.email);
      }
      expect(claims).toEqual(emails);
    });

    it('is in the language of the latest signup, even while that waits to be confirmed', async () => {
      const { store } = await setUp({ confirm: true });
      const { list, mails } = store;
      const languageOf = async () => {
        const message = await claimed(store);
        await mails.recordOutcome(message, { state: 'sent' });
        return [message.kind, message.language];
      };
      await store.createSignup(exampleSignup({ email: ME }), { language: 'de' });
      expect(await languageOf()).toEqual(['confirmation', 'de']);
      await list.changePerson(ME, 'unsubscribe', 'admin');
      await store.createSignup(exampleSignup({ email: ME }), { language: 'fr' });
      expect(await languageOf()).toEqual(['confirmation', 'fr']);
      await store.createSignup(exampleSignup({ email: 'x@y.io' }));
      expect(await languageOf()).toEqual(['confirmation', null]);
      await queueNotice(store, ['admin@acme.example'], { type: 'signups', signups: 1, since: NOW });
      expect(await languageOf()).toEqual(['notice', null]);
    });

    it('is not claimed before it is due, and has one key for all attempts', async () => {
      const { mails, clock } = await setUpMessage();
      const first = await claimed({ mails });
      await mails.recordOutcome(first, { state: 'queued', retryAt: NOW + 30_000, reason: '451' });
      expect(await mails.findNextDue()).toBe(NOW + 30_000);
      clock.now += 29_999;
      expect(await claim({ mails })).toBeNull();
      clock.now += 1;
      expect(await claim({ mails })).toMatchObject({ attempts: 2, messageKey: first.messageKey });
    });

    it.each<MessageOutcome>([SENT, { state: 'failed', reason: '550' }, { state: 'unknown', reason: 'cut off' }])(
      'is never claimed again once it is $state',
      async (outcome) => {
        const { mails, clock, state } = await setUpMessage();
        await mails.recordOutcome(await claimed({ mails }), outcome);
        clock.now += 1_000 * LEASE_MS;
        expect(await mails.expireLeases()).toBe(0);
        expect([await state(), await mails.findNextDue(), await claim({ mails })]).toEqual([outcome.state, null, null]);
      },
    );

    it('becomes unknown if the process ends between the claim and the outcome, and is never sent again', async () => {
      const { mails, clock, state } = await setUpMessage();
      const lost = await claimed({ mails });
      clock.now += LEASE_MS;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME)]).toEqual([0, true]);
      clock.now += 1;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME), await state()]).toEqual([1, false, 'unknown']);
      clock.now += 10 * DAY_MS;
      expect([await mails.expireLeases(), await claim({ mails })]).toEqual([0, null]);
      // A late outcome is still recorded.
      await mails.recordOutcome(lost, SENT);
      expect(await state()).toBe('sent');
    });

    it('is not changed by a late outcome of an earlier attempt', async () => {
      const { mails, clock, messages } = await setUpMessage();
      const late = await claimed({ mails });
      clock.now += LEASE_MS + 1;
      await mails.expireLeases();
      expect(await mails.resend(ME)).toBe('queued');
      await claimed({ mails });
      await mails.recordOutcome(late, { state: 'failed', reason: 'late' });
      expect(await messages()).toMatchObject([{ state: 'sending', attempts: 1 }]);
    });

    it('is resent only at the request of the admin, and not while it is being sent', async () => {
      const { mails } = await setUpMessage();
      const message = await claimed({ mails });
      expect(await mails.resend(ME)).toBe('being-sent');
      await mails.recordOutcome(message, SENT);
      expect(await mails.resend(ME)).toBe('queued');
      expect(await claimed({ mails })).toMatchObject({ attempts: 1, messageKey: message.messageKey });
      expect(await mails.resend('you@example.org')).toBe('not-signed-up');
      expect(await mails.isBeingSent('you@example.org')).toBe(false);
    });

    it('is not sent to a person who was imported without one, however often the admin sends again', async () => {
      const { store, messages } = await setUp();
      const imported = { email: ME, source: 'import', created_at: NOW, state: 'subscribed' } as const;
      await store.list.importPeople([imported], { welcome: false });
      expect([await store.mails.resend(ME), await claim(store), await messages()]).toEqual(['no-email', null, []]);
    });

    it('is stored as failed if the address bounced before it was sent, so that it can be sent again', async () => {
      const { store, messages } = await setUp();
      await store.createSignup(exampleSignup({ email: ME }));
      await store.list.changePerson(ME, 'bounce', 'mail-server');
      expect(await claim(store)).toBeNull();
      expect(await messages()).toMatchObject([{ state: 'failed', attempts: 0 }]);
      expect((await store.people.list(FIRST_PAGE)).people).toMatchObject([
        {
          state: 'bounced',
          resends: 'welcome',
          mail: { state: 'failed', reason: 'the address bounced before it was sent' },
        },
      ]);
      expect(await store.mails.resend(ME)).toBe('queued');
      expect(await claimed(store)).toMatchObject({ email: ME, kind: 'welcome', attempts: 1 });
    });

    it('is of the kind that the list of people says, if it is sent again', async () => {
      const { store } = await setUp({ confirm: true });
      const resends = async () => (await store.people.list(FIRST_PAGE)).people.map(({ resends }) => resends);
      await store.createSignup(exampleSignup({ email: ME }));
      const confirmation = await claimed(store);
      await store.mails.recordOutcome(confirmation, SENT);
      expect(await resends()).toEqual(['confirmation']);
      await store.list.confirm(sha256(confirmation.tokens.link ?? ''), null);
      expect(await resends()).toEqual(['welcome']);
      expect(await store.mails.resend(ME)).toBe('queued');
      const welcome = await claimed(store);
      expect(welcome.kind).toBe('welcome');
      await store.mails.recordOutcome(welcome, { state: 'failed', reason: '550', refusal: 'no-mailbox' });
      expect(await resends()).toEqual(['welcome']);
      await store.list.unsubscribe(unsubscribeHash(welcome));
      expect(await resends()).toEqual([null]);
    });

    it('is not changed by the outcome of a message whose signup was erased meanwhile', async () => {
      const { store, mails, messages } = await setUpMessage();
      const erased = await claimed({ mails });
      await store.erase(ME);
      await store.createSignup(exampleSignup());
      await claimed({ mails });
      await mails.recordOutcome(erased, SENT);
      expect(await messages()).toMatchObject([{ state: 'sending' }]);
    });

    it('does not come back if its signup is erased while it is being sent', async () => {
      const { store, mails, messages } = await setUpMessage();
      const message = await claimed({ mails });
      await store.erase(ME);
      await mails.recordOutcome(message, SENT);
      expect(await messages()).toEqual([]);
      expect(await mails.resend(ME)).toBe('not-signed-up');
    });

    it('is claimed once or erased with its person, if both happen at the same time', async () => {
      const { store, open, messages } = await setUp();
      const [erased, stayed] = [people(20).slice(0, 10), people(20).slice(10)];
      await signUp(store, people(20));
      const other = open();
      const [sent, alsoSent] = await Promise.all([
        sendAll(store),
        sendAll(other),
        ...erased.map((email, index) => (index % 2 === 0 ? store : other).erase(email)),
      ]);
      const all = [...sent, ...alsoSent];
      expect(all.length).toBe(new Set(all).size);
      expect(all.filter((email) => stayed.includes(email)).toSorted()).toEqual(stayed.toSorted());
      expect((await messages()).map(({ email, state }) => [email, state]).toSorted()).toEqual(
        stayed.map((email) => [email, 'sent']).toSorted(),
      );
    });

    it('keeps its lease when the clock is set back, and later messages do not wait', async () => {
      const { store, mails, clock } = await setUpMessage();
      await claimed({ mails });
      clock.now -= HOUR_MS;
      expect([await mails.expireLeases(), await mails.isBeingSent(ME)]).toEqual([0, true]);
      await store.createSignup(exampleSignup({ email: 'you@example.org' }));
      expect(await claim({ mails })).toMatchObject({ email: 'you@example.org' });
      clock.now = NOW + LEASE_MS + 1;
      expect(await mails.expireLeases()).toBe(2);
    });

    it('is a notice to each admin, however many they get, and is not stored once it is sent', async () => {
      const { store, messages } = await setUp();
      const { mails } = store;
      const figures = [{ label: 'Visitors', value: '1,234', change: '+12%' }];
      const dailySignups = [{ label: 'Mon', signups: 3 }];
      const notice = { type: 'weekly', period: '16 – 22 March 2026', figures, dailySignups } as const;
      const admins = ['ada@example.com', 'bob@example.com'];
      for (let turn = 0; turn < 5; turn += 1) await queueNotice(store, admins, notice);
      const got: ClaimedMessage[] = [];
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        const tokens = { link: null, status: null, unsubscribe: null };
        expect(message).toMatchObject({ kind: 'notice', notice, tokens, campaign: null });
        got.push(message);
      }
      for (const message of got) await mails.recordOutcome(message, SENT);
      expect(got.map(({ email }) => email).toSorted()).toEqual(
        admins.flatMap((admin) => Array.from({ length: 5 }, () => admin)),
      );
      expect(await messages()).toEqual([]);
      await queueNotice(store, ['ada@example.com'], notice);
      await mails.recordOutcome(await claimed(store), { state: 'failed', reason: '550' });
      expect(await messages()).toMatchObject([{ state: 'failed', attempts: 1 }]);
    });

    it('is listed with its state', async () => {
      const { store, mails } = await setUpMessage();
      await mails.recordOutcome(await claimed({ mails }), { state: 'failed', reason: '550' });
      await store.createSignup(exampleSignup());
      await mails.recordOutcome(await claimed({ mails }), SENT);
      expect(await mails.counts()).toEqual(
        new Map([
          ['failed', 1],
          ['sent', 1],
        ]),
      );
      expect(await mails.backlog()).toEqual({ queued: 0, sending: 0, failed: 1, unknown: 0 });
      const failed = { email: ME, kind: 'welcome', state: 'failed', attempts: 1, nextAttemptAt: NOW, reason: '550' };
      expect(await unsent(mails)).toEqual([{ ...failed, id: expect.any(String) }]);
    });

    it('is listed with others of its kind', async () => {
      const { store, mails } = await setUpMessage();
      await queueNotice(store, ['ada@example.com'], { type: 'signups', signups: 1, since: NOW });
      const listed = async (kind?: MessageKind) => (await unsent(mails, kind)).map(({ email }) => email).toSorted();
      expect(await listed()).toEqual(['ada@example.com', ME]);
      expect([await listed('notice'), await listed('welcome'), await listed('campaign')]).toEqual([
        ['ada@example.com'],
        [ME],
        [],
      ]);
      await store.erase(ME);
    });

    it('whose outcome is unknown is decided once: it counts as sent, or is sent again', async () => {
      const { store, mails, clock, open, state } = await setUpMessage();
      await queueNotice(store, ['ada@example.com'], { type: 'signups', signups: 1, since: NOW });
      const messages = [await claimed({ mails }), await claimed({ mails })];
      const [message] = messages;
      const [id = ''] = messages.map(({ messageKey }) => messageKey);
      expect(await mails.decideUnknown(id, 'again')).toBe('known');
      clock.now += LEASE_MS + 1;
      await mails.expireLeases();
      const unknown = async (kind?: MessageKind) =>
        (await Array.fromAsync(mails.unsent({ state: 'unknown', kind }))).map(({ email }) => email).toSorted();
      expect([await unknown(), await unknown('notice')]).toEqual([['ada@example.com', ME], ['ada@example.com']]);
      // Two admins decide at the same time.
      const other = open().mails;
      const results = await Promise.all([mails.decideUnknown(id, 'again'), other.decideUnknown(id, 'sent')]);
      expect(results.toSorted()).toEqual(['done', 'known']);
      if (results[0] === 'done') {
        const again = await claimed({ mails });
        expect(again).toMatchObject({ email: ME, messageKey: id, attempts: 1 });
        // The first attempt ends late.
        if (message) await mails.recordOutcome(message, { state: 'failed', reason: '550' });
        await mails.recordOutcome(again, SENT);
      }
      expect([await state(), await mails.decideUnknown(id, 'again')]).toEqual(['sent', 'known']);
      for (const { messageKey } of messages) await mails.decideUnknown(messageKey, 'sent');
      expect([await mails.counts(), await unknown()]).toEqual([new Map([['sent', 1]]), []]);
      expect(await mails.decideUnknown('a/b', 'sent')).toBe('known');
      await store.erase(ME);
    });

    it('whose outcome is unknown is not sent again to someone who has left', async () => {
      const { store, mails, clock, state } = await setUpMessage();
      const { messageKey } = await claimed({ mails });
      clock.now += LEASE_MS + 1;
      await mails.expireLeases();
      await store.list.changePerson(ME, 'unsubscribe', 'admin');
      expect([await mails.decideUnknown(messageKey, 'again'), await state()]).toEqual(['not-wanted', 'unknown']);
      expect([await mails.decideUnknown(messageKey, 'sent'), await state()]).toEqual(['done', 'sent']);
    });

    it('is counted by what it waits for', async () => {
      const { store, mails, clock } = await setUpMessage();
      const nothing = { due: 0, planned: 0, planned_at: null, of_paused_campaigns: 0 };
      expect(await mails.waiting()).toEqual({ ...nothing, due: 1 });
      await mails.recordOutcome(await claimed({ mails }), { state: 'queued', retryAt: NOW + 30_000, reason: '451' });
      expect(await mails.waiting()).toEqual({ ...nothing, planned: 1, planned_at: NOW + 30_000 });
      const audience = { states: ['subscribed'], source: null } as const;
      const { id } = await store.campaigns.create({ subject: 'News', body: 'News', audience });
      await store.campaigns.change(id, 'sending');
      await store.campaigns.feed();
      expect(await mails.waiting()).toEqual({ ...nothing, due: 1, planned: 1, planned_at: NOW + 30_000 });
      await mails.recordOutcome(await claimed({ mails }), { state: 'queued', retryAt: NOW + 10_000, reason: '451' });
      await store.campaigns.change(id, 'paused');
      const waiting = { ...nothing, planned: 1, planned_at: NOW + 30_000, of_paused_campaigns: 1 };
      expect(await mails.waiting()).toEqual(waiting);
      clock.now += 30_000;
      expect(await mails.waiting()).toEqual({ ...nothing, due: 1, of_paused_campaigns: 1 });
    });
  });

  describe('a refusal that is our problem', () => {
    const DENIED = '554 5.7.1 Relay access denied';
    const denied = (retryAt: number): MessageOutcome => ({
      state: 'queued',
      retryAt,
      reason: DENIED,
      refusal: 'our-problem',
    });
    const next = ({ mails }: Store) => mails.due().claimNext();

    it('bounces nobody, pauses the queue of every process, and longer each time, until a message is accepted', async () => {
      const { store, open, clock, messages } = await setUp();
      await signUp(store, people(4));
      const other = open();
      expect(await store.mails.pause()).toBeNull();
      await store.mails.recordOutcome(await claimed(store), denied(NOW + HOUR_MS));
      const pause = { refusals: 1, since: NOW, until: NOW + MINUTE_MS, reason: DENIED };
      expect(await other.mails.pause()).toMatchObject(pause);
      expect([await next(store), await next(other)]).toEqual(['paused', 'paused']);
      clock.now += MINUTE_MS;
      // One message is sent as a probe; the others wait for its outcome.
      const probe = await claimed(other);
      expect([await next(store), await next(other)]).toEqual(['paused', 'paused']);
      await other.mails.recordOutcome(probe, denied(clock.now + HOUR_MS));
      expect(await store.mails.pause()).toMatchObject({ ...pause, refusals: 2, until: clock.now + 2 * MINUTE_MS });
      clock.now += 2 * MINUTE_MS - 1;
      expect(await next(store)).toBe('paused');
      clock.now += 1;
      await store.mails.recordOutcome(await claimed(store), SENT);
      expect(await store.mails.pause()).toBeNull();
      expect(await sendAll(other)).toHaveLength(1);
      clock.now += HOUR_MS;
      expect(await sendAll(other)).toHaveLength(2);
      expect((await messages()).map(({ state }) => state)).toEqual(['sent', 'sent', 'sent', 'sent']);
      expect(await store.list.counts()).toEqual(new Map([['subscribed', 4]]));
    });

    it('is tried by exactly one of many callers once the pause is over, and again if that one ends', async () => {
      const { store, open, clock } = await setUp();
      await signUp(store, people(4));
      await store.mails.recordOutcome(await claimed(store), denied(NOW + HOUR_MS));
      clock.now += MINUTE_MS;
      const stores = [store, open(), open()];
      const claims = await Promise.all([...stores, ...stores].map(next));
      expect(claims.filter((message) => typeof message !== 'string')).toHaveLength(1);
      clock.now += LEASE_MS;
      expect(await next(store)).toMatchObject({ attempts: 1 });
    });

    it('of messages that were sent at the same time counts once', async () => {
      const { store } = await setUp();
      await signUp(store, people(3));
      const messages = [await claimed(store), await claimed(store), await claimed(store)];
      for (const message of messages) await store.mails.recordOutcome(message, denied(NOW + HOUR_MS));
      expect(await store.mails.pause()).toMatchObject({ refusals: 1, until: NOW + MINUTE_MS });
    });

    it('lets the next message be tried at once if the admin says so', async () => {
      const { store } = await setUp();
      await signUp(store, people(2));
      expect(await store.mails.endPause()).toBe(false);
      await store.mails.recordOutcome(await claimed(store), denied(NOW + HOUR_MS));
      expect([await store.mails.endPause(), await store.mails.endPause()]).toEqual([true, false]);
      await store.mails.recordOutcome(await claimed(store), denied(NOW + HOUR_MS));
      expect(await store.mails.pause()).toMatchObject({ refusals: 2, until: NOW + 2 * MINUTE_MS });
    });

    it.each([
      ['three people', 3],
      ['one person', 1],
    ])('is assumed once messages to %s in a row are refused without a clear reason', async (_, emails) => {
      const { store } = await setUp();
      const refused = { state: 'failed', reason: '550 5.7.1 likely unsolicited mail', refusal: 'unclear' } as const;
      await signUp(store, people(emails));
      for (let attempt = 0; attempt < 3; attempt += 1) {
        expect(await store.mails.pause()).toBeNull();
        const message = await claimed(store);
        await store.mails.recordOutcome(message, refused);
        if (emails === 1) await store.mails.resend(message.email);
      }
      const pause = await store.mails.pause();
      if (emails === 1) expect(pause).toBeNull();
      else expect(pause).toMatchObject({ refusals: 1, reason: refused.reason });
      expect(await store.list.counts()).toEqual(new Map([['subscribed', emails]]));
    });

    it('is not assumed if a message between them is accepted', async () => {
      const { store } = await setUp();
      const refused = { state: 'failed', reason: '550', refusal: 'unclear' } as const;
      await signUp(store, people(4));
      for (const outcome of [refused, refused, SENT, refused])
        await store.mails.recordOutcome(await claimed(store), outcome);
      expect(await store.mails.pause()).toBeNull();
    });

    it('stores nothing from which an address could be guessed', async () => {
      const { store } = await setUp();
      await signUp(store, people(3));
      const refused = { state: 'failed', reason: '550', refusal: 'unclear' } as const;
      for (let count = 0; count < 3; count += 1) await store.mails.recordOutcome(await claimed(store), refused);
      const pause = JSON.stringify(await store.mails.pause());
      expect(pause).toContain('"refusals":1');
      for (const email of people(3)) expect(pause).not.toMatch(new RegExp(`${email}|${sha256(email)}`));
    });
  });

  describe('a refusal that may be ours', () => {
    const OTHER = 'other@example.net';
    const refused: MessageOutcome = {
      state: 'queued',
      retryAt: NOW + HOUR_MS,
      reason: '550 5.7.1 no',
      refusal: 'perhaps-ours',
    };
    const next = async ({ mails }: Store, due = mails.due()) => {
      for (;;) {
        const claim = await due.claimNext();
        if (claim !== 'taken') return claim;
      }
    };

    it('of one recipient pauses nothing, and a recipient at another domain is tried first', async () => {
      const { store } = await setUp();
      await signUp(store, [...people(60), OTHER]);
      await store.mails.recordOutcome(await claimed(store), refused);
      expect(await store.mails.pause()).toBeNull();
      expect(await store.mails.trouble()).toEqual({ kind: 'recipient-refused', since: NOW, reason: refused.reason });
      const other = await claimed(store);
      expect(other.email).toBe(OTHER);
      await store.mails.recordOutcome(other, SENT);
      expect([await store.mails.pause(), await store.mails.trouble()]).toEqual([null, null]);
      expect(await sendAll(store)).toHaveLength(59);
      expect(await store.list.counts()).toEqual(new Map([['subscribed', 61]]));
    });

    it('pauses the queue if the other recipient is refused, too', async () => {
      const { store, open, clock } = await setUp();
      await signUp(store, [...people(3), OTHER, 'third@example.com']);
      await store.mails.recordOutcome(await claimed(store), refused);
      await store.mails.recordOutcome(await claimed(open()), refused);
      expect(await store.mails.pause()).toMatchObject({ refusals: 1, until: NOW + MINUTE_MS });
      expect(await store.mails.trouble()).toBeNull();
      expect(await next(open())).toBe('paused');
      clock.now += MINUTE_MS;
      // Another recipient is attempted, so that the same two cannot keep extending the pause.
      const probe = await claimed(store);
      expect(probe.email).toBe('third@example.com');
      expect(await next(open())).toBe('paused');
      await store.mails.recordOutcome(probe, SENT);
      expect(await sendAll(store)).toHaveLength(2);
    });

    it('pauses one domain if no other waits, and holds up no message to another domain that comes later', async () => {
      const { store, clock } = await setUp();
      await signUp(store, people(4));
      await store.mails.recordOutcome(await claimed(store), refused);
      expect(await store.mails.pause()).toBeNull();
      await store.mails.recordOutcome(await claimed(store), refused);
      expect(await store.mails.pause()).toMatchObject({ refusals: 1, until: NOW + MINUTE_MS });
      expect(await next(store)).toBe('paused');
      await signUp(store, [OTHER]);
      const other = await claimed(store);
      expect(other.email).toBe(OTHER);
      expect(await next(store)).toBe('paused');
      await store.mails.recordOutcome(other, SENT);
      expect(await store.mails.pause()).toBeNull();
      expect(await sendAll(store)).toHaveLength(2);
      clock.now += HOUR_MS;
      expect(await sendAll(store)).toHaveLength(2);
    });

    it('of the same recipient again and again never pauses the queue', async () => {
      const { store, clock } = await setUp();
      await signUp(store, [ME]);
      for (let attempt = 0; attempt < 4; attempt += 1) {
        await store.mails.recordOutcome(await claimed(store), { ...refused, retryAt: clock.now + HOUR_MS });
        expect(await store.mails.pause()).toBeNull();
        clock.now += HOUR_MS;
      }
    });
  });

  describe('a mail server that cannot be reached', () => {
    const down: MessageOutcome = {
      state: 'queued',
      retryAt: NOW + 30_000,
      reason: 'ECONNREFUSED',
      refusal: 'unreachable',
    };

    it('is known to every process until a message arrives or is refused, and pauses nothing', async () => {
      const { store, open, clock } = await setUp();
      await signUp(store, people(4));
      expect(await store.mails.trouble()).toBeNull();
      await store.mails.recordOutcome(await claimed(store), down);
      clock.now += 1_000;
      await store.mails.recordOutcome(await claimed(store), down);
      const trouble = { kind: 'unreachable', since: NOW, until: NOW + 3_000, reason: 'ECONNREFUSED' };
      expect([await open().mails.trouble(), await store.mails.pause()]).toEqual([trouble, null]);
      await store.mails.recordOutcome(await claimed(store), {
        state: 'queued',
        retryAt: NOW,
        reason: '451',
        refusal: 'later',
      });
      expect(await store.mails.trouble()).toBeNull();
    });
  });

  describe('the mail quota', () => {
    it('is shared by all processes, and the rest is sent in the next hours', async () => {
      const { store, clock, open } = await setUp({ mailsPerHour: 3 });
      await signUp(store, people(7));
      expect(await sendAll(store)).toHaveLength(3);
      const other = open();
      expect(await sendAll(other)).toEqual([]);
      expect(await other.mails.quotaSpentUntil()).toBe(Date.UTC(2026, 2, 1, 15));
      clock.now = Date.UTC(2026, 2, 1, 15) - 1;
      expect(await sendAll(store)).toEqual([]);
      clock.now += 1;
      expect(await sendAll(store)).toHaveLength(3);
      clock.now += HOUR_MS;
      expect([(await sendAll(store)).length, await store.mails.quotaSpentUntil()]).toEqual([1, null]);
    });

    it('is exact, however many callers claim at the same time', async () => {
      const { store, open } = await setUp({ mailsPerHour: 5 });
      await signUp(store, people(12));
      const stores = [store, open(), open()];
      const sent = (await Promise.all([...stores, ...stores].map(sendAll))).flat();
      expect([sent.length, new Set(sent).size]).toEqual([5, 5]);
    });

    it('says when campaigns continue, whose part is used up before the rest', async () => {
      const { store } = await setUp({ mailsPerHour: 10 });
      const audience = { states: ['subscribed'], source: null } as const;
      const imported = people(12).map(
        (email) => ({ email, source: 'fair', created_at: NOW, state: 'subscribed' }) as const,
      );
      await store.list.importPeople(imported, { welcome: false });
      const { id } = await store.campaigns.create({ subject: 'News', body: 'News', audience });
      await store.campaigns.change(id, 'sending');
      await store.campaigns.feed();
      expect(await store.mails.quotaSpentUntil('campaign')).toBeNull();
      expect(await sendAll(store)).toHaveLength(8);
      const spent = [await store.mails.quotaSpentUntil('campaign'), await store.mails.quotaSpentUntil()];
      expect(spent).toEqual([Date.UTC(2026, 2, 1, 15), null]);
      await signUp(store, [ME]);
      expect(await sendAll(store)).toEqual([ME]);
      expect(await store.mails.counts('campaign')).toEqual(
        new Map([
          ['queued', 4],
          ['sent', 8],
        ]),
      );
      expect((await store.mails.counts('welcome')).get('sent')).toBe(1);
    });

    it('is not spent before anything was sent', async () => {
      const { store } = await setUp({ mailsPerHour: 1 });
      expect(await store.mails.quotaSpentUntil()).toBeNull();
    });

    it('counts every attempt', async () => {
      const { store } = await setUp({ mailsPerHour: 2 });
      await signUp(store, [ME]);
      for (const attempts of [1, 2]) {
        const message = await claimed(store);
        expect(message.attempts).toBe(attempts);
        await store.mails.recordOutcome(message, { state: 'queued', retryAt: NOW, reason: '451' });
      }
      expect(await store.mails.due().claimNext()).toBe('quota-spent');
    });
  });

  describe('the limit of a mailbox', () => {
    const tagged = (count: number) => Array.from({ length: count }, (_, n) => `victim+${n}@example.org`).toSorted();

    it('allows three messages a day, for all sub-addresses together, and gives up what waits for more than a day', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(8));
      const sent = await sendAll(store);
      expect(sent).toHaveLength(3);
      const waiting = { state: 'queued', attempts: 0, reason: MAILBOX_FULL_REASON };
      expect((await unsent(store.mails)).toSorted((a, b) => a.nextAttemptAt - b.nextAttemptAt)).toMatchObject([
        ...[1, 2].map(() => ({ ...waiting, state: 'failed', nextAttemptAt: NOW })),
        ...[1, 2, 3].map(() => ({ ...waiting, nextAttemptAt: NOW + DAY_MS })),
      ]);
      const failed = (await unsent(store.mails, 'welcome')).filter(({ state }) => state === 'failed');
      for (const [day, count] of [3, 0].entries()) {
        clock.now = NOW + (day + 1) * DAY_MS - 1;
        expect(await sendAll(store)).toEqual([]);
        clock.now += 1;
        const next = await sendAll(store);
        expect(next).toHaveLength(count);
        sent.push(...next);
      }
      expect([...sent, ...failed.map(({ email }) => email)].toSorted()).toEqual(tagged(8));
    });

    it('holds, however many callers claim at the same time', async () => {
      const { store, open } = await setUp();
      await signUp(store, tagged(9));
      const stores = [store, open(), open()];
      const sent = (await Promise.all([...stores, ...stores].map(sendAll))).flat();
      expect([sent.length, new Set(sent).size]).toEqual([3, 3]);
    });

    it('holds after an outage, when the planned messages of several days are due at once', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(12));
      await sendAll(store);
      await signUp(store, ['victim+late@example.org']);
      for (const [days, count] of [
        [10, 3],
        [1, 1],
      ] as const) {
        clock.now += days * DAY_MS;
        expect(await sendAll(store)).toHaveLength(count);
      }
    });

    it('holds for dots and both domains of Gmail', async () => {
      const { store } = await setUp();
      await signUp(store, ['ada@gmail.com', 'a.da@gmail.com', 'ad.a@googlemail.com', 'a.d.a+x@gmail.com', 'a.da@x.io']);
      const sent = await sendAll(store);
      expect(sent).toHaveLength(4);
      expect(sent).toContain('a.da@x.io');
    });

    it('does not use up the quota of the hour, nor the limit of other mailboxes', async () => {
      const { store } = await setUp({ mailsPerHour: 8 });
      await signUp(store, [...tagged(12), ...people(5)]);
      const sent = await sendAll(store);
      expect(sent).toHaveLength(8);
      expect(sent.filter((email) => !email.startsWith('victim')).toSorted()).toEqual(people(5));
    });

    it('has room again once the first of three messages is a day old', async () => {
      const { store, clock } = await setUp();
      for (const email of tagged(4)) {
        await signUp(store, [email]);
        await sendAll(store);
        clock.now += HOUR_MS;
      }
      expect(await store.mails.findNextDue()).toBe(NOW + DAY_MS);
    });

    it.each(['unsubscribe', 'erase'] as const)('holds for an address that signs up again after %s', async (way) => {
      const { store, clock } = await setUp();
      await signUp(store, [ME]);
      let last = await claimed(store);
      let sent = 1;
      for (let round = 0; round < 4; round += 1) {
        await store.mails.recordOutcome(last, SENT);
        if (way === 'erase') await store.erase(ME);
        else await store.list.unsubscribe(unsubscribeHash(last));
        clock.now += 1_000;
        await signUp(store, [ME]);
        const next = await claim(store);
        if (next === null) continue;
        sent += 1;
        last = next;
      }
      expect(sent).toBe(3);
      clock.now = NOW + DAY_MS - 1;
      await store.mails.expireLeases();
      expect(await claim(store)).toBeNull();
      clock.now += 1;
      expect((await claimed(store)).email).toBe(ME);
    });

    it('lets a message be retried that is one of the three', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(3));
      const retried = await claimed(store);
      await store.mails.recordOutcome(retried, { state: 'queued', retryAt: NOW + 1, reason: '451' });
      expect(await sendAll(store)).toHaveLength(2);
      clock.now += 1;
      expect(await sendAll(store)).toEqual([retried.email]);
    });

    it('counts messages that may have been sent, and a retried message once', async () => {
      const { store, clock } = await setUp();
      await signUp(store, tagged(1));
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        const message = await claimed(store);
        expect(message.attempts).toBe(attempt);
        clock.now += 30_000;
        await store.mails.recordOutcome(message, { state: 'queued', retryAt: clock.now, reason: '451' });
      }
      await store.mails.recordOutcome(await claimed(store), { state: 'unknown', reason: 'cut off' });
      await signUp(store, ['victim@example.org', 'victim+a@example.org', 'victim+b@example.org']);
      expect(await sendAll(store)).toHaveLength(2);
    });
  });
}

function people(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `person-${n}@example.org`);
}

async function signUp(store: Store, emails: readonly string[]): Promise<void> {
  for (const email of emails) await store.createSignup(exampleSignup({ email }));
}

/** Sends all messages that may be sent now. Returns their addresses. */
async function sendAll({ mails }: Store): Promise<string[]> {
  const sent: string[] = [];
  for (;;) {
    const message = await claim({ mails });
    if (message === null) return sent;
    sent.push(message.email);
    await mails.recordOutcome(message, SENT);
  }
}

async function unsent(mails: MailQueue, kind?: MessageKind) {
  const messages = [];
  for await (const message of mails.unsent({ kind })) messages.push(message);
  return messages;
}
