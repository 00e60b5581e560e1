// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { App } from '../app.tsx';
import { fakeApi } from '../testing/fake-api.fixture.ts';

const { standInForLayout } = await vi.hoisted(() => import('../testing/layout.fixture.ts'));

beforeEach(standInForLayout);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SUBJECT = 'Acme is open: here is your access';

/** Opens this draft and changes its text. The save finishes when `finishSave` is called. */
async function writeSlowly(draft: string) {
  const { fetch, requests } = fakeApi();
  const save = Promise.withResolvers<void>();
  const saved = `POST /admin/campaigns/${draft}`;
  const slow: typeof fetch = async (input, init) => {
    if (String(input).endsWith(`/campaigns/${draft}`)) await save.promise;
    return fetch(input, init);
  };
  const { hook } = memoryLocation({ path: '/admin', searchPath: `page=campaigns&campaign=${draft}` });
  render(
    <Router hook={hook}>
      <App fetch={slow} />
    </Router>,
  );
  const value = `${SUBJECT}!`;
  fireEvent.input(await screen.findByLabelText('Subject'), { target: { value } });
  const changes = () => requests.filter((name) => name === saved || /^POST .*\/(?:state|remove|schedule)$/.test(name));
  return { finishSave: save.resolve, changes, saved };
}

async function press(text: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByText(text, { selector: 'button, a' }));
}

/** Waits until everything is done except the pending save. */
const untilIdle = () => act(() => new Promise((resolve) => setTimeout(resolve)));

it('turns the series on with the text that is still being saved', async () => {
  const { finishSave, changes, saved } = await writeSlowly('23');
  await press('Campaigns');
  await press('Turn on…');
  await press('Turn on');
  await untilIdle();
  expect(changes()).toEqual([]);
  finishSave();
  await screen.findByText('Series turned on.');
  expect(changes()).toEqual([saved, 'POST /admin/campaigns/series/state']);
});

it('deletes a draft after its text was saved', async () => {
  const { finishSave, changes, saved } = await writeSlowly('1');
  await press('Campaigns');
  await screen.findByText('Create campaign');
  const [first] = screen.getAllByText('Delete…');
  if (first) fireEvent.click(first);
  await press('Delete draft');
  await untilIdle();
  expect(changes()).toEqual([]);
  finishSave();
  await vi.waitFor(() => expect(changes()).toEqual([saved, 'POST /admin/campaigns/1/remove']));
});

it('goes back to all campaigns once the text is saved', async () => {
  const { finishSave } = await writeSlowly('1');
  await press('Back to all campaigns');
  await untilIdle();
  expect(screen.queryByText('Create campaign')).toBeNull();
  finishSave();
  expect(await screen.findByText(`${SUBJECT}!`, { selector: 'h2' })).toBeTruthy();
});

it('sends nothing if the admin closes the dialog before the text is saved', async () => {
  const { finishSave, changes, saved } = await writeSlowly('1');
  await press(/^Send to .*…$/);
  await press('Start sending');
  await press('Cancel');
  finishSave();
  await screen.findByText('Saved');
  await untilIdle();
  expect(changes()).toEqual([saved]);
});
