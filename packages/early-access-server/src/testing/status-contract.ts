import { describe, expect, it } from 'vitest';
import { hashToken, toUnsubscribeToken } from '../app/access/secrets.ts';
import { CONFIRM_LINK_MS } from '../app/mail/message-kinds.ts';
import type { ClaimedMessage } from '../app/ports/store.ts';
import { exampleSignup } from './examples.ts';
import { deliver, findId, linkHash, type SetUp } from './harness.ts';

const [OLD, NEW] = ['ada@exmaple.org', 'ada@example.org'];

/** Tests which person's status page a link opens. */
export function statusContract(setUp: SetUp): void {
  async function withPerson({ confirm = false } = {}) {
    const harness = await setUp({ confirm, mailsPerHour: 10_000 });
    const { store, clock } = harness;
    await store.createSignup(exampleSignup({ email: OLD }));
    const { list } = store;
    const next = async () => {
      const message = await deliver(store);
      clock.now += 1_000;
      return message;
    };
    const byEmail = ({ tokens: { status } }: ClaimedMessage) =>
      list.findOwner(hashToken(toUnsubscribeToken(status ?? '')), 'unsubscribe');
    const byConfirmation = (message: ClaimedMessage) => list.findOwner(linkHash(message), 'confirm');
    const first = await next();
    const id = await findId(store, OLD);
    return { ...harness, list, first, id, next, byEmail, byConfirmation };
  }

  describe('the link to the status page', () => {
    it('of each email opens it until the person is erased, in any state', async () => {
      const { store, list, first, id, next, byEmail, clock } = await withPerson();
      await store.mails.resend(OLD);
      const second = await next();
      clock.now += 10 * CONFIRM_LINK_MS;
      expect([await byEmail(first), await byEmail(second)]).toEqual([id, id]);
      await list.changePerson(OLD, 'unsubscribe', 'person');
      expect(await byEmail(first)).toBe(id);
      expect((await store.people.find(id))?.timeline).toContainEqual(
        expect.objectContaining({ event: 'unsubscribe', by: 'person' }),
      );
      await store.erase(OLD);
      expect([await byEmail(first), await byEmail(second)]).toEqual([null, null]);
    });

    it('is another one than the link to unsubscribe', async () => {
      const { list, first } = await withPerson();
      const { status, unsubscribe } = first.tokens;
      for (const token of [status, unsubscribe].map((given) => hashToken(given ?? '')))
        expect(await list.findOwner(token, 'confirm')).toBeNull();
      expect(await list.findOwner(hashToken(toUnsubscribeToken(unsubscribe ?? '')), 'unsubscribe')).toBeNull();
      expect(await list.unsubscribe(hashToken(status ?? ''))).toBe('unknown');
    });

    it('is also the one that has confirmed the address, until it expires', async () => {
      const { list, first, id, byConfirmation, clock } = await withPerson({ confirm: true });
      expect(await byConfirmation(first)).toBeNull();
      await list.confirm(linkHash(first), null);
      expect(await byConfirmation(first)).toBe(id);
      clock.now += CONFIRM_LINK_MS;
      expect(await byConfirmation(first)).toBeNull();
    });

    it('no longer works if it was sent to the address before a change, and to the new one only after it', async () => {
      const { store, list, first, id, next, byEmail, byConfirmation } = await withPerson({ confirm: true });
      await list.confirm(linkHash(first), null);
      expect(await list.correctAddress(id, NEW, 'person')).toBe('queued');
      const correction = await next();
      expect([await byConfirmation(correction), await byEmail(first), await byConfirmation(first)]).toEqual([
        null,
        id,
        id,
      ]);
      expect(await list.confirm(linkHash(correction), null)).toBe('confirmed');
      expect([await byConfirmation(correction), await byEmail(first), await byConfirmation(first)]).toEqual([
        id,
        null,
        null,
      ]);
      const { email, timeline } = (await store.people.find(id)) ?? {};
      expect([email, timeline?.find(({ event }) => event === 'ask-correction')?.by]).toEqual([NEW, 'person']);
      expect(await list.confirm(linkHash(first), null)).toBe('already-confirmed');
      expect(await list.unsubscribe(hashToken(first.tokens.unsubscribe ?? ''))).toBe('unsubscribed');
    });
  });
}
