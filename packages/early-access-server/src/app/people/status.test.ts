import { ATTRIBUTION, signupOf } from '@early-access-kit/testkit/records';
import { expect, it } from 'vitest';
import { tempStore } from '../../fixtures/temp-store.ts';
import { EVERYONE, type PersonRecord } from './people.ts';
import { exportPerson } from './status.ts';

const TERMS = { type: 'checkbox', label: 'I agree to the terms', required: true, consent: true } as const;
/** About other people, or not about the person. */
const KEPT_BACK = ['share', 'resends', 'new_email'];

it('a person’s file has everything that is stored about them, apart from what is about others', async () => {
  const { store } = tempStore();
  const fields = { terms: TERMS.label };
  await store.createSignup(signupOf({ email: 'ada@example.org', ...ATTRIBUTION, fields }));
  const [listed] = await Array.fromAsync(store.people.all(EVERYONE));
  const found = await store.people.find(listed?.id ?? '');
  if (found === null) throw new TypeError('she signed up');
  const at = Date.UTC(2026, 10, 30, 9);
  const entry = { at, by: null } as const;
  const correction = { kind: 'correction', state: 'sent', reason: null, subject: null } as const;
  const record: PersonRecord = {
    ...found,
    created_at: at,
    labels: ['VIP'],
    new_email: 'other@example.org',
    timeline: [
      { ...entry, event: 'signup', email: null },
      { ...entry, event: 'ask-correction', email: null },
      { ...entry, event: 'email', email: correction },
      { ...entry, event: 'email', email: { ...correction, kind: 'welcome' } },
    ],
  };
  const file = exportPerson(record, { terms: TERMS });
  const exported: Record<string, unknown> = JSON.parse(file);
  const names = Object.keys({ ...record, consent_text: '', consent_page: '' });
  expect(Object.keys(exported).toSorted()).toEqual(names.filter((name) => !KEPT_BACK.includes(name)).toSorted());
  const time = '2026-11-30T09:00:00.000Z';
  expect(exported).toMatchObject({
    email: 'ada@example.org',
    created_at: time,
    confirmed_at: null,
    referrals: 0,
    consent_text: 'I agree to the terms',
    consent_page: ATTRIBUTION.page_url,
    timeline: [
      { at: time, event: 'signup' },
      { at: time, event: 'email', email: { kind: 'welcome' } },
    ],
  });
  expect(file).not.toContain('other@example.org');
  // Indented, so that people can read it.
  expect(file).toContain('\n  "email": "ada@example.org"');
});
