import { DAY_MS, type EmailSignup } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { PENDING_MS } from '../app/lifecycle/states.ts';
import { emailFields } from '../app/mail/email-fields.ts';
import { MAILS_PER_MAILBOX_AND_DAY } from '../app/mail/mail-quota.ts';
import type { ImportedPerson } from '../app/ports/list-store.ts';
import type { Store } from '../app/ports/store.ts';
import { EXAMPLE_FIELDS, exampleSignup } from './examples.ts';
import {
  claim,
  claimed,
  deliver,
  deliverAll,
  everyone,
  findId,
  linkHash,
  NOW,
  readStates,
  type SetUp,
  unsubscribeHash,
} from './harness.ts';

const [ANN, DOTTED, TAGGED] = ['ann@gmail.com', 'a.n.n@googlemail.com', 'ann+news@gmail.com'];
const SENT = { state: 'sent' } as const;

/** Tests that a mailbox is one person under any of its addresses, and that their choices remain. */
export function mailboxContract(setUp: SetUp): void {
  it('an email has the text of a visitor only if they have confirmed the address', async () => {
    const { store } = await setUp();
    const fields = { role: 'Your account is locked', about: 'https://evil.example', news: true } as const;
    for (const email of [ANN, 'bob@x.io']) await signUp(store, { email, fields });
    const first = await claimed(store);
    expect([first.fields, (await claimed(store)).fields]).toEqual([{}, {}]);
    await add(store, { email: 'carl@x.io', fields, state: 'pending' });
    const confirmation = await claimed(store);
    expect(confirmation).toMatchObject({ email: 'carl@x.io', fields: {} });
    await store.list.confirm(linkHash(confirmation), null);
    await store.mails.recordOutcome(confirmation, SENT);
    const [carl] = (await everyone(store)).filter(({ email }) => email === 'carl@x.io');
    await store.list.invite({ after: null, who: { ids: [carl?.id ?? ''] } });
    expect((await claimed(store)).fields).toEqual({ role: 'Your account is locked', news: true });
  });

  describe('the opt-out of a mailbox', () => {
    it('unsubscribes everyone with an address of it, and drops what is queued for them', async () => {
      const { store } = await setUp();
      for (const email of [ANN, DOTTED, TAGGED, 'ann@x.io']) await signUp(store, { email });
      const message = await claimed(store);
      expect(await store.list.unsubscribe(unsubscribeHash(message))).toBe('unsubscribed');
      expect(await readStates(store)).toEqual({ ...states([ANN, DOTTED, TAGGED]), 'ann@x.io': 'subscribed' });
      expect([(await claimed(store)).email, await claim(store)]).toEqual(['ann@x.io', null]);
    });

    it.each(['mail-server', 'admin', 'person'] as const)('is the same if the %s says it', async (by) => {
      const { store } = await setUp();
      for (const email of [ANN, DOTTED]) await signUp(store, { email });
      await store.list.changePerson(DOTTED, 'bounce', by === 'person' ? 'admin' : by);
      expect(await readStates(store)).toEqual({ [ANN]: 'subscribed', [DOTTED]: 'bounced' });
      await store.list.changePerson(ANN, 'unsubscribe', by);
      expect(await readStates(store)).toEqual(states([ANN, DOTTED]));
    });

    it.each([true, false])('holds for other spellings, and no answer reveals it (confirm: %s)', async (confirm) => {
      const { store } = await withOptOut(setUp, confirm);
      expect(store.confirm).toBe(confirm);
      const signups = [ANN, DOTTED, 'new@x.io'].map((email) => exampleSignup({ email }));
      const answers = [];
      for (const signup of signups) answers.push(await store.createSignup(signup), await store.createSignup(signup));
      expect(new Set(answers)).toEqual(new Set([confirm ? 'pending' : 'created']));
      for (const email of [ANN, DOTTED, 'new@x.io']) expect(await signUp(store, { email })).toBe('duplicate');
      const pending = { [ANN]: 'pending', [DOTTED]: 'pending' };
      expect(await readStates(store)).toEqual({ ...pending, 'new@x.io': confirm ? 'pending' : 'subscribed' });
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        expect(message.kind).toBe(message.email === 'new@x.io' && !confirm ? 'welcome' : 'confirmation');
        if (message.email === DOTTED) await store.list.confirm(linkHash(message), null);
      }
      expect((await readStates(store))[DOTTED]).toBe('subscribed');
    });

    it('holds for an import and for a correction, unless the person has confirmed since', async () => {
      const { store } = await withOptOut(setUp);
      expect(await add(store, { email: DOTTED })).toEqual(['duplicate']);
      expect(await add(store, { email: TAGGED, state: 'invited', confirmed_at: NOW - 1 })).toEqual(['duplicate']);
      await signUp(store, { email: 'you@x.io' });
      const id = await findId(store, 'you@x.io');
      expect(await store.list.correctAddress(id, DOTTED)).toBe('on-list');
      expect(await readStates(store)).toEqual({ [ANN]: 'unsubscribed', 'you@x.io': 'subscribed' });
      expect(await add(store, { email: DOTTED, confirmed_at: NOW + 1 })).toEqual(['added']);
      expect((await readStates(store))[DOTTED]).toBe('subscribed');
    });

    it('in an imported file holds for the list and for the rest of the file', async () => {
      const { store } = await setUp();
      await add(store, { email: ANN }, { email: TAGGED, confirmed_at: NOW - DAY_MS });
      const optOut = { state: 'unsubscribed', unsubscribed_at: NOW - 2 * DAY_MS } as const;
      const others = ['b.o.b@gmail.com', 'bob+x@gmail.com'].map((email) => ({ email }));
      expect(await add(store, { email: DOTTED, ...optOut }, ...others, { email: 'bob@gmail.com', ...optOut })).toEqual([
        'added',
        'duplicate',
        'duplicate',
        'added',
      ]);
      expect(await readStates(store)).toEqual({ ...states([ANN, DOTTED, 'bob@gmail.com']), [TAGGED]: 'subscribed' });
    });
  });

  describe('a new signup for an address that has unsubscribed', () => {
    const first = exampleSignup({ email: ANN, page_url: 'https://a.example/', fields: EXAMPLE_FIELDS });
    const stranger = exampleSignup({ email: ANN, page_url: 'https://b.example/', fields: { role: 'author' } });

    async function withStranger() {
      const { store, clock } = await setUp({ confirm: true });
      await store.createSignup(first);
      const message = await claimed(store);
      await store.list.confirm(linkHash(message), first.submission_id);
      await store.mails.recordOutcome(message, SENT);
      await store.list.unsubscribe(unsubscribeHash(message));
      clock.now += DAY_MS;
      const [before] = await everyone(store);
      await store.createSignup(stranger);
      return { store, clock, message, before };
    }

    it('leaves the person, their links and everything about them until it is confirmed', async () => {
      const { store, message, before } = await withStranger();
      const { state: _, resends: __, mail: ___, ...rest } = before ?? {};
      expect(await everyone(store)).toMatchObject([{ ...rest, state: 'pending', confirmed_at: NOW }]);
      expect(await store.list.findOwner(unsubscribeHash(message), 'unsubscribe')).toBe(before?.id);
      expect(await store.list.findOwner(linkHash(message), 'confirm')).toBe(before?.id);
      const confirmation = await claimed(store);
      expect(confirmation).toMatchObject({ kind: 'confirmation', fields: emailFields(EXAMPLE_FIELDS, true) });
      expect(await store.list.confirm(linkHash(confirmation), first.submission_id)).toBe('other-browser');
      expect(await store.list.confirm(linkHash(confirmation), stranger.submission_id)).toBe('confirmed');
      const { fields, page_url } = stranger;
      expect(await everyone(store)).toMatchObject([
        { id: before?.id, state: 'subscribed', fields, page_url, created_at: NOW, confirmed_at: NOW + DAY_MS },
      ]);
      expect(await store.createSignup(stranger)).toBe('created');
      expect(await store.createSignup(exampleSignup({ email: ANN }))).toBe('duplicate');
      expect((await store.readSummary()).email_signups).toBe(1);
    });

    it.each(['link', 'time'])('leaves nothing if it is not confirmed, but ends by %s', async (end) => {
      const { store, clock, message, before } = await withStranger();
      if (end === 'link') expect(await store.list.unsubscribe(unsubscribeHash(message))).toBe('unsubscribed');
      else {
        clock.now += PENDING_MS - 1;
        await store.list.tidyPending(10);
        expect(await readStates(store)).toEqual({ [ANN]: 'pending' });
        clock.now += 1;
        await store.list.tidyPending(10);
      }
      const { mail: _, unsubscribed_at: __, ...rest } = before ?? {};
      expect(await everyone(store)).toMatchObject([rest]);
      expect(await claim(store)).toBeNull();
      expect((await store.erase(ANN)).erased).not.toBeNull();
      expect(await everyone(store)).toEqual([]);
    });

    it('is not confirmed by a link from before', async () => {
      const { store } = await setUp({ confirm: true });
      await store.createSignup(first);
      const message = await claimed(store);
      await store.list.unsubscribe(unsubscribeHash(message));
      await store.createSignup(stranger);
      expect(await store.list.confirm(linkHash(message), null)).toBe('expired');
      expect(await everyone(store)).toMatchObject([{ state: 'pending', fields: EXAMPLE_FIELDS }]);
    });
  });

  it('a flood of signups for one mailbox is no more mail than two days may have', async () => {
    const { store, clock } = await setUp({ mailsPerHour: 1_000 });
    for (let n = 0; n < 20; n += 1) await signUp(store, { email: `ann+${n}@example.org` });
    const sent = [];
    for (let day = 0; day < 4; day += 1) {
      sent.push((await deliverAll(store)).length);
      clock.now += DAY_MS;
    }
    expect(sent).toEqual([MAILS_PER_MAILBOX_AND_DAY, MAILS_PER_MAILBOX_AND_DAY, 0, 0]);
    expect(await store.mails.resend('ann+19@example.org')).toBe('queued');
    expect((await claimed(store)).email).toBe('ann+19@example.org');
  });
}

async function withOptOut(setUp: SetUp, confirm = false) {
  const { store, clock } = await setUp({ confirm });
  await signUp(store, { email: ANN });
  await store.list.unsubscribe(unsubscribeHash(await deliver(store)));
  return { store, clock };
}

const states = (unsubscribed: readonly string[]) =>
  Object.fromEntries(unsubscribed.map((email) => [email, 'unsubscribed']));

function signUp(store: Store, signup: Partial<EmailSignup>) {
  return store.createSignup(exampleSignup(signup));
}

function add(store: Store, ...people: readonly (Partial<ImportedPerson> & { readonly email: string })[]) {
  return store.list.importPeople(
    people.map((person) => ({ source: 'file', created_at: NOW - 9 * DAY_MS, state: 'subscribed', ...person })),
    { welcome: true },
  );
}
