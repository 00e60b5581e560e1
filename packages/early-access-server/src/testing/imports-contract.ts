import { randomUUID } from 'node:crypto';
import { DAY_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { countWithdrawal, withdrawImport } from '../app/import/withdraw-import.ts';
import { EVERYONE } from '../app/people/people.ts';
import type { ImportedPerson, ImportName } from '../app/ports/list-store.ts';
import type { Store } from '../app/ports/store.ts';
import { exampleSignup, numbers } from './examples.ts';
import { claim, deliver, linkHash, NOW, type SetUp, unsubscribeHash } from './harness.ts';

/** Tests the records of imports, and withdrawing one. */
export function importsContract(setUp: SetUp, histories: number): void {
  describe('an import', () => {
    it('is recorded with the people whom it adds, in every process', async () => {
      const { store, clock, open } = await setUp();
      const { list, people } = store;
      await store.createSignup(exampleSignup({ email: 'a@x.io' }));
      expect(await list.imports(10)).toEqual([]);
      const first = newImport('people.csv');
      await add(store, ['a', 'b', 'c'], first);
      clock.now += 1_000;
      await add(store, ['c', 'd'], first);
      const second = newImport('');
      await add(store, ['e'], second);
      await add(store, ['a', 'b', 'e'], newImport('again.csv'));
      await add(store, ['f'], undefined);
      const recorded = [
        { ...second, created_at: NOW + 1_000, added: 1, people: 1 },
        { ...first, created_at: NOW, added: 3, people: 3 },
      ];
      expect(await open().list.imports(10)).toEqual(recorded);
      expect(await list.imports(1)).toEqual(recorded.slice(0, 1));
      const ofFirst = { ...EVERYONE, import: first.id };
      expect(await people.count(ofFirst)).toEqual({ count: 3, is_partial: false });
      const found = await Array.fromAsync(people.all(EVERYONE));
      expect(found.filter(({ import_id }) => import_id === first.id).map(({ email }) => email)).toEqual(
        (await Array.fromAsync(people.all(ofFirst))).map(({ email }) => email),
      );
      expect(
        found
          .filter(({ import_id }) => import_id === null)
          .map(({ email }) => email)
          .toSorted(),
      ).toEqual(['a@x.io', 'f@x.io']);
      const [b] = (await people.list({ ...ofFirst, search: 'b@', sort: 'email', limit: 5, after: null })).people;
      expect((await people.find(b?.id ?? ''))?.import_id).toBe(first.id);
      await store.erase('b@x.io');
      expect((await list.imports(10))[1]).toEqual({ ...recorded[1], people: 2 });
    });

    it('is withdrawn with everyone to whom nothing was sent and who has done nothing, and no one else', async () => {
      const { store, signups, messages, clock } = await setUp({ mailsPerHour: 1_000 });
      const file = newImport('people.csv');
      await store.createSignup(exampleSignup({ email: 'own@x.io' }));
      await deliver(store);
      await add(store, ['sent', 'again', 'failed', 'confirmed', 'left'], file, { state: 'pending', welcome: true });
      for (let message = await claim(store); message !== null; message = await claim(store)) {
        if (message.email === 'left@x.io') await store.list.unsubscribe(unsubscribeHash(message));
        if (message.email === 'confirmed@x.io') await store.list.confirm(linkHash(message), null);
        const failed = { state: 'failed', reason: '552', refusal: 'content' } as const;
        await store.mails.recordOutcome(message, message.email === 'failed@x.io' ? failed : { state: 'sent' });
        clock.now += 1;
      }
      // The number of attempts restarts.
      expect(await store.mails.resend('again@x.io')).toBe('queued');
      await add(store, ['opted-out', 'invited', 'elsewhere'], file);
      await store.list.changePerson('opted-out@x.io', 'unsubscribe', 'admin');
      const [invited] = await Array.fromAsync(store.people.all({ ...EVERYONE, search: 'invited' }));
      await store.list.invite({ after: null, who: { ids: [invited?.id ?? ''] } });
      // Another server has sent them an email.
      await add(store, ['before'], file, { mail_state: 'sent' });
      await add(store, ['waits'], file, { welcome: true });
      await add(store, ['was-out'], file, { state: 'unsubscribed' });
      const other = newImport('others.csv');
      await add(store, ['other', 'elsewhere'], other);
      const kept = ['sent', 'again', 'failed', 'confirmed', 'left', 'opted-out', 'invited'].map(
        (name) => `${name}@x.io`,
      );

      expect(await countWithdrawal(store.list, file.id)).toEqual({ erased: 4, kept: kept.length });
      expect((await store.erase('other@x.io', file.id)).erased).toBeNull();
      expect((await store.erase('sent@x.io', file.id)).erased).toBeNull();
      expect(await withdrawImport(store, file.id)).toEqual({ erased: 4, kept: kept.length, traceless: true });
      expect((await signups()).map(({ email }) => email).toSorted()).toEqual(
        [...kept, 'other@x.io', 'own@x.io'].toSorted(),
      );
      const addresses = (await messages()).map(({ email }) => email);
      expect(addresses).not.toContain(null);
      expect(addresses).not.toContain('waits@x.io');
      expect(await withdrawImport(store, file.id)).toEqual({ erased: 0, kept: kept.length, traceless: true });
      expect((await store.list.imports(2)).map(({ people }) => people)).toEqual([1, kept.length]);
      expect(await withdrawImport(store, randomUUID())).toEqual({ erased: 0, kept: 0, traceless: true });
    });

    it('keeps someone who has signed up again since', async () => {
      const { store, signups } = await setUp();
      const file = newImport('people.csv');
      await add(store, ['me', 'you'], file, { state: 'unsubscribed' });
      await store.createSignup(exampleSignup({ email: 'me@x.io' }));
      expect(await withdrawImport(store, file.id)).toMatchObject({ erased: 1, kept: 1 });
      expect((await signups()).map(({ email }) => email)).toEqual(['me@x.io']);
    });

    it.each(Array.from({ length: histories }, (_, index) => index + 1))(
      'that is withdrawn while its emails are sent erases no one to whom an attempt was made (%i)',
      async (seed) => {
        const { store, signups, open } = await setUp({ mailsPerHour: 100_000 });
        const random = numbers(seed);
        const file = newImport('people.csv');
        const names = Array.from({ length: 30 }, (_, index) => `p${index}`);
        await add(store, names, file, { welcome: true, mailboxes: true });
        const attempted = new Set<string>();
        const send = async (sender: Store, count: number) => {
          for (let turn = 0; turn < count; turn += 1) {
            const message = await claim(sender);
            if (message !== null) attempted.add(message.email);
          }
        };
        const [, { erased, kept }] = await Promise.all([send(open(), random(15)), withdrawImport(store, file.id)]);
        await send(store, 30);
        const left = (await signups()).map(({ email }) => email);
        expect(left.toSorted()).toEqual([...attempted].toSorted());
        expect([kept, erased + kept]).toEqual([left.length, names.length]);
      },
    );
  });
}

function newImport(name: string): ImportName {
  return { id: randomUUID(), name };
}

interface Added extends Pick<Partial<ImportedPerson>, 'state' | 'mail_state'> {
  readonly welcome?: boolean;
  /** True if each address has a different mailbox. */
  readonly mailboxes?: boolean;
}

function add(store: Store, names: readonly string[], file: ImportName | undefined, added: Added = {}) {
  const { welcome = false, mailboxes = false, ...person } = added;
  const people = names.map((name) => ({
    ...{ email: `${name}@x${mailboxes ? name : ''}.io`, source: 'file', created_at: NOW - DAY_MS },
    ...{ state: 'subscribed' as const, ...person },
  }));
  return store.list.importPeople(people, { welcome, ...(file && { import: file }) });
}
