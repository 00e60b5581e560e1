// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { usePeopleState } from './use-people-state.ts';

const ADDRESS = 'ada@example.org';

function Page() {
  const [state, change] = usePeopleState();
  return (
    <>
      <output>{`${state.search} ${state.sort}`}</output>
      <button type="button" onClick={() => change((current) => ({ ...current, search: ADDRESS }))}>
        Search
      </button>
      <button type="button" onClick={() => change((current) => ({ ...current, sort: 'email' }))}>
        Sort
      </button>
    </>
  );
}

const shown = () => screen.getByRole('status').textContent;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

beforeEach(() => history.replaceState(null, '', '/admin?page=people'));
afterEach(cleanup);

it('texts are not in the URL, and are found again by Back and a reload', async () => {
  render(<Page />);
  press('Search');
  expect([shown(), location.search]).toEqual([`${ADDRESS} newest`, '?page=people']);
  press('Sort');
  expect([shown(), location.search]).toEqual([`${ADDRESS} email`, '?sort=email&page=people']);
  cleanup();
  render(<Page />);
  expect(shown()).toBe(`${ADDRESS} email`);
  history.back();
  await vi.waitFor(() => expect(shown()).toBe(`${ADDRESS} newest`));
  history.back();
  await vi.waitFor(() => expect(shown()).toBe(' newest'));
});

it('a text in a stored link is used, and leaves the URL', () => {
  history.replaceState(null, '', `/admin?page=people&search=${ADDRESS}&sort=email`);
  render(<Page />);
  expect([shown(), location.search]).toEqual([`${ADDRESS} email`, '?sort=email&page=people']);
});
