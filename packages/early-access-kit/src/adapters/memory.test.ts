import { expect, it } from 'vitest';
import type { FieldDeclarations } from '../core/fields.ts';
import { getFailureCode } from '../testing/contract.ts';
import { runAdapterContract } from '../testing.ts';
import { memoryAdapter, memoryStore } from './memory.ts';

const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Company', required: true, maxLength: 80 },
  motto: { type: 'text', label: 'Motto', maxLength: 5 },
  shop: { type: 'url', label: 'Shop' },
  size: { type: 'select', label: 'Size', options: ['1', { value: '2–10', label: 'two to ten' }] },
  beta: { type: 'checkbox', label: 'Beta' },
  terms: { type: 'checkbox', label: 'I agree', consent: true, acceptedTexts: ['De acuerdo'] },
};

const LINK = {
  url: 'https://acme.example/?utm_source=share',
  title: 'Share your link',
  hint: 'A friend counts once they have joined.',
  text: 'Join me:',
  share: 'Share',
  copy: 'Copy link',
  copied: 'Copied',
  friends: 'Friends who joined: 0',
};

runAdapterContract({
  name: 'memoryAdapter',
  create: ({ adminEmail, now }) => {
    const store = memoryStore();
    return { store, adapter: memoryAdapter({ adminEmail, now, store, fields: FIELDS, share: LINK }) };
  },
  optional: ['inbox', 'share', 'count'],
  fields: FIELDS,
  inspect: ({ store }) => ({
    signups: [...store.signups.values()],
    sessions: [...store.sessions.values()],
    welcomed: store.welcomed,
  }),
  capabilities: {
    clock: true,
    breakStore: {
      fail({ store }) {
        for (const part of [store.signups, store.sessions, store.welcomed]) Object.setPrototypeOf(part, null);
      },
    },
  },
});

it.each(['', 'x'.repeat(1_001), ' '])('returns the summary to no one if the admin email is %j', async (adminEmail) => {
  for (const given of ['', ' ', 'y'.repeat(1_001), adminEmail]) {
    expect(await getFailureCode(memoryAdapter({ adminEmail }).readSummary(given))).toBe('forbidden');
  }
});
