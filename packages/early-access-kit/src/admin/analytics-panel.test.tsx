// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { areOwnVisitsIgnored } from '../own-visits.ts';
import { ADMIN, box, dialog, figure, NUMBERS, overlayInTests, press, setUp, unlock } from './overlay.fixture.tsx';

const EMPTY = { unique_visitors: 0, email_signups: 0, bounce_rate: 0, average_duration: 0 };

overlayInTests();

async function unlockedWithUser() {
  const overlay = setUp();
  await unlock(overlay);
  return overlay;
}

describe('analytics panel', () => {
  it('shows the four figures', async () => {
    await unlock(setUp());
    expect(figure('Unique Visitors')).toBe('1,234');
    expect(figure('Email Signups')).toBe('56');
    expect(figure('Bounce rate')).toBe('41.67%');
    expect(figure('Average visit')).toBe('3m 5s');
  });

  it('shows zeros if there are no sessions and signups yet', async () => {
    const panel = await unlock(setUp({ says: EMPTY }));
    expect(figure('Unique Visitors')).toBe('0');
    expect(within(panel).getByRole('status').textContent).toBe('No visits and no signups yet.');
  });

  it('shows that the figures are loading, then that they are unavailable, and retries', async () => {
    localStorage.setItem('adminEmail', ADMIN);
    const { user, respond, store } = setUp({ says: 'unavailable' });
    await box();
    press();
    const panel = within(await dialog('Analytics Overview'));
    expect(panel.getByRole('status').textContent).toBe('Loading the figures…');
    await respond();
    expect(panel.getByRole('status').textContent).toBe('The figures cannot be loaded right now.');
    expect(figure('Unique Visitors')).toBe('–');
    store.says = NUMBERS;
    await user.click(panel.getByRole('button', { name: 'Try again' }));
    // The button was removed, so the focus must have moved.
    expect(document.activeElement).toBe(panel.getByRole('heading', { name: 'Analytics Overview' }));
    await respond();
    expect(figure('Unique Visitors')).toBe('1,234');
    expect(panel.getByRole('status').textContent).toBe('');
  });

  it('loads the current figures each time it opens, and shows the previous ones until then', async () => {
    const overlay = setUp();
    await unlock(overlay);
    await overlay.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    overlay.store.says = { ...NUMBERS, email_signups: 57 };
    press();
    await dialog('Analytics Overview');
    expect(figure('Email Signups')).toBe('56');
    await overlay.respond();
    expect(figure('Email Signups')).toBe('57');
  });

  it('links to the adapter’s dashboard, to another one, or to none', async () => {
    const link = () => screen.queryByRole('link', { name: 'Open dashboard' })?.getAttribute('href') ?? null;
    await unlock(setUp());
    expect(link()).toBeNull();
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: 'https://api.example.org/api' }));
    expect(link()).toBe('https://api.example.org/admin');
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: '/api', props: { dashboardUrl: '/our-dashboard' } }));
    expect(link()).toBe('/our-dashboard');
    cleanup();
    localStorage.clear();
    await unlock(setUp({ endpoint: '/api', props: { dashboardUrl: false } }));
    expect(link()).toBeNull();
  });

  it('shows that own visits are not counted, and turns that off and on', async () => {
    const { user } = await unlockedWithUser();
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Don’t count my own visits' });
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
    await user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([false, false]);
    await user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
  });

  it('logs out: removes the stored address and locks', async () => {
    const overlay = setUp();
    await unlock(overlay);
    await overlay.user.click(screen.getByRole('button', { name: 'Admin Logout' }));
    expect(localStorage.getItem('adminEmail')).toBeNull();
    expect(overlay.container.querySelector('.eak-counter, dialog')).toBeNull();
    press();
    await dialog('Admin Access');
  });

  it('restores the focus to where it was before the dialog that opened it', async () => {
    const overlay = setUp();
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
    elsewhere.focus();
    await unlock(overlay);
    await overlay.user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(elsewhere);
  });
});
