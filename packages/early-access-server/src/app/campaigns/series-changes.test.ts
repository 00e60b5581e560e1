import { expect, it, vi } from 'vitest';
import { tempStore } from '../../fixtures/temp-store.ts';
import { changeSeries, readSeries } from './series-changes.ts';

it('turns on and pauses only the emails that can change, and checks only those that it turns on', async () => {
  const { store } = tempStore();
  const { campaigns } = store;
  const compose = vi.fn(() => ({ from: '', to: '', subject: '', text: '', html: '', messageId: '', headers: {} }));
  const mail = { compose, deliver: async () => ({ outcome: 'sent' }) as const };
  const parts = { store, fields: {}, now: 1, mail };
  const add = async (subject: string, days: number) => {
    const step = await campaigns.series.add({ after: 'joined', previous: null, days });
    if (step === null) throw new TypeError('it was not added');
    const text = { subject, body: 'Hello', audience: step.audience };
    await campaigns.save(step.id, text, { revision: subject, replaces: [step.revision] });
    return step.id;
  };
  const ids = [await add('One', 1), await add('Two', 2), await add('Three', 3)];
  const states = async () => Promise.all(ids.map(async (id) => (await campaigns.find(id))?.state));
  await campaigns.change(ids[0] ?? '', 'sending');
  await campaigns.change(ids[1] ?? '', 'cancelled');
  expect(await changeSeries(parts, 'sending')).toBe(1);
  expect(compose).toHaveBeenCalledOnce();
  expect(await states()).toEqual(['sending', 'cancelled', 'sending']);
  expect(await changeSeries(parts, 'paused')).toBe(2);
  expect(compose).toHaveBeenCalledOnce();
  expect(await states()).toEqual(['paused', 'cancelled', 'paused']);
  const { steps, start } = await readSeries(store);
  expect(steps.map(({ timing }) => timing)).toEqual(['1 day after they join', '3 days after they join']);
  expect(start).toEqual(['No one missed an email during the pause.']);
});

it('names the email that cannot be sent, also one without a subject', async () => {
  const { store } = tempStore();
  await store.campaigns.series.add({ after: 'joined', previous: null, days: 1 });
  const parts = { store, fields: {}, now: 1, mail: null };
  await expect(changeSeries(parts, 'sending')).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringContaining('“Without a subject”: no emails are sent'),
    cause: { code: 'invalid' },
  });
});
