// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { EarlyAccessProvider } from '../provider.tsx';
import { ADMIN, overlayInTests } from './overlay.fixture.tsx';
import { ADMIN_EMAIL_KEY } from './stored-admin-email.ts';
import { useAdmin } from './use-admin.ts';

overlayInTests();

/** A host's own markup. */
function Numbers() {
  const { state, open, submit, logOut } = useAdmin();
  if (state.status === 'unlocked') {
    return (
      <button type="button" onClick={logOut}>
        {state.summary.numbers?.email_signups ?? '…'} signups
      </button>
    );
  }
  return (
    <button type="button" onClick={() => (state.status === 'locked' && state.open ? submit(ADMIN) : open())}>
      {state.status === 'locked' && state.open ? 'Unlock' : 'Numbers'}
    </button>
  );
}

const page = (
  <EarlyAccessProvider adapter={memoryAdapter({ adminEmail: ADMIN })}>
    <Numbers />
  </EarlyAccessProvider>
);

it('is the overlay without markup', async () => {
  const user = userEvent.setup();
  render(page);
  await user.click(screen.getByRole('button', { name: 'Numbers' }));
  await user.click(screen.getByRole('button', { name: 'Unlock' }));
  await user.click(await screen.findByRole('button', { name: '0 signups' }));
  screen.getByRole('button', { name: 'Numbers' });
});

it('is locked on the server and during hydration, and then looks for a stored address', async () => {
  localStorage.setItem(ADMIN_EMAIL_KEY, ADMIN);
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = renderToString(page);
  expect(root.textContent).toContain('Numbers');
  const complaints: unknown[] = [];
  const hydrated = await act(async () =>
    hydrateRoot(root, page, { onRecoverableError: (complaint) => complaints.push(complaint) }),
  );
  await screen.findByRole('button', { name: '0 signups' });
  expect(complaints).toEqual([]);
  await act(async () => hydrated.unmount());
  root.remove();
});
