import type { FieldDeclaration, FieldDeclarations } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { tempStore } from '../../fixtures/temp-store.ts';
import { TEST_TOKENS } from '../people/links.ts';
import type { ComposableMessage } from '../ports/mail-composer.ts';
import type { CampaignContent } from './campaign.ts';
import { type CampaignMail, checkSendable, composeExample, sendTest } from './campaign-email.ts';

const NOW = Date.UTC(2026, 10, 30);
const TEXT = { subject: 'We are live', body: 'Hello', audience: { states: ['subscribed'], source: null } } as const;

/** An application whose store has one campaign, and which remembers what it composes. */
async function writing(content: Partial<CampaignContent> = {}, fields: FieldDeclarations = {}) {
  const { store } = tempStore();
  const composed: ComposableMessage[] = [];
  const compose: CampaignMail['compose'] = (message) => {
    composed.push(message);
    return { from: '', to: message.email, subject: '', text: '', html: '', messageId: '', headers: {} };
  };
  const parts = { store, fields, now: NOW, mail: { compose, deliver: async () => ({ outcome: 'sent' }) as const } };
  const campaign = await store.campaigns.create({ ...TEXT, ...content });
  return { store, parts, campaign, composed };
}

it('an application without a mail server starts and tests no campaign', async () => {
  const { parts, campaign } = await writing();
  const withoutMail = { ...parts, mail: null };
  const reason = 'no emails are sent: this application has no mail server';
  await expect(checkSendable(withoutMail, { ...campaign, subject: '' })).rejects.toThrow(reason);
  await expect(composeExample(withoutMail, campaign, 'empty')).rejects.toThrow(reason);
});

it.each(['with_campaign', 'without_campaign'])('an audience %s needs one that still exists', async (condition) => {
  const { store, parts, campaign } = await writing();
  const { id } = await store.campaigns.create(TEXT);
  const depending = { ...campaign, audience: { ...campaign.audience, conditions: { [condition]: id } } };
  await checkSendable(parts, depending);
  await store.campaigns.remove(id);
  await expect(checkSendable(parts, depending)).rejects.toThrow(
    'the audience depends on a campaign that no longer exists; remove that condition',
  );
});

it.each<[FieldDeclaration, string | true]>([
  [{ type: 'text', label: 'Company' }, 'Company'],
  [{ type: 'textarea', label: 'About you' }, 'About you'],
  [{ type: 'url', label: 'Site' }, 'https://www.example.com/'],
  [{ type: 'tel', label: 'Phone' }, '+15550100123'],
  [{ type: 'number', label: 'Seats' }, '1'],
  [{ type: 'number', label: 'Seats', max: 9 }, '9'],
  [{ type: 'number', label: 'Seats', min: 0, max: 9 }, '0'],
  [{ type: 'date', label: 'Start' }, '2026-01-31'],
  [{ type: 'date', label: 'Start', max: '2026-06-30' }, '2026-06-30'],
  [{ type: 'date', label: 'Start', min: '2026-06-01', max: '2026-06-30' }, '2026-06-01'],
  [{ type: 'checkbox', label: 'I use Etsy' }, true],
  [{ type: 'checkbox', label: 'I agree to the terms', consent: true }, 'I agree to the terms'],
  [{ type: 'select', label: 'Role', options: ['Seller', 'Designer'] }, 'Seller'],
  [{ type: 'choices', label: 'Shops', options: ['Etsy', 'Amazon'] }, 'Etsy'],
])('a test email shows %j as %j', async (field, value) => {
  const { parts, campaign, composed } = await writing({}, { field });
  await sendTest(parts, campaign, { email: 'admin@acme.example', tokens: TEST_TOKENS });
  expect(composed.at(-1)).toMatchObject({ email: 'admin@acme.example', fields: { field: value } });
});

it('a preview shows the newest person, or with tags the one of the newest whose email shows most of them', async () => {
  const fields: FieldDeclarations = { company: { type: 'text', label: 'Company' } };
  const { store, parts, campaign, composed } = await writing({}, fields);
  const person = { source: 'fair', state: 'subscribed' } as const;
  await store.list.importPeople(
    [
      { ...person, email: 'old@x.io', created_at: 1, confirmed_at: 1, fields: { company: 'Acme' } },
      { ...person, email: 'unconfirmed@x.io', created_at: 2, fields: { company: 'Evil' } },
      { ...person, email: 'new@x.io', created_at: 3, confirmed_at: 3 },
    ],
    { welcome: false },
  );
  expect((await composeExample(parts, campaign, 'person')).person).toBe('new@x.io');
  const withTag = { ...campaign, body: 'Hello {{fields.company}}' };
  expect((await composeExample(parts, withTag, 'person')).person).toBe('old@x.io');
  await store.list.importPeople([{ ...person, email: 'late@x.io', created_at: 4, fields: { company: 'Evil' } }], {
    welcome: false,
  });
  await composeExample(parts, campaign, 'person');
  expect(composed.at(-1)).toMatchObject({ email: 'late@x.io', fields: {} });
});
