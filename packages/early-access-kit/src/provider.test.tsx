// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryAdapter, memoryStore } from './adapters/memory.ts';

const CAMPAIGN = { utm_source: 'news', utm_campaign: 'May sale' };

beforeEach(() => {
  vi.resetModules();
});
afterEach(() => {
  cleanup();
  history.replaceState(null, '', '/');
});

/** Loads the modules anew, as in a new document. */
async function openPage(url: string) {
  history.replaceState(null, '', url);
  const { EarlyAccessProvider } = await import('./provider.tsx');
  const { SignupForm } = await import('./signup/signup-form.tsx');
  const store = memoryStore();
  const adapter = memoryAdapter({ store });
  return {
    /** A form in a host that changes the URL in an effect. */
    page: (movesTo?: string) => (
      <EarlyAccessProvider adapter={adapter}>
        {movesTo !== undefined && <Router to={movesTo} />}
        <SignupForm botGuard={false} />
      </EarlyAccessProvider>
    ),
    async signUp() {
      await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.org{Enter}');
      await screen.findByText("You're on the list!");
      const [signup] = store.signups.values();
      return signup;
    },
  };
}

function Router({ to }: { to: string }) {
  useEffect(() => history.replaceState(null, '', to), [to]);
  return null;
}

it('a signup has the campaign of the first page, and the URL of the page that sent it', async () => {
  const { page, signUp } = await openPage('/?utm_source=news&utm_campaign=May+sale&email=secret#top');
  render(page('/join?utm_source=banner&step=2'));
  const signup = await signUp();
  expect(signup).toMatchObject({ ...CAMPAIGN, page_url: `${location.origin}/join` });
  expect(JSON.stringify(signup)).not.toMatch(/banner|secret|step/);
});

it('the campaign outlives the provider until the document is closed', async () => {
  const { page, signUp } = await openPage('/?utm_source=news&utm_campaign=May+sale');
  render(page('/pricing')).unmount();
  render(page());
  expect(await signUp()).toMatchObject(CAMPAIGN);
});

it('a session that started without a campaign never gets one, and nothing is stored on the device', async () => {
  const { page, signUp } = await openPage('/');
  render(page('/?utm_source=own-banner'));
  const signup = await signUp();
  expect(Object.keys(signup ?? {}).filter((field) => field.startsWith('utm_'))).toEqual([]);
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0]);
});
