// @vitest-environment jsdom
import { cleanup, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { areOwnVisitsIgnored } from '../own-visits.ts';
import { dialog, figure, NUMBERS, overlayInTests, press, setUp, unlock } from './overlay.fixture.tsx';

overlayInTests();

describe('analytics panel', () => {
  it('loads the current figures each time it opens, and shows the previous ones meanwhile', async () => {
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

  it('says that own visits are not counted, and switches that off and on', async () => {
    const overlay = setUp();
    await unlock(overlay);
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Don’t count my own visits' });
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
    await overlay.user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([false, false]);
    await overlay.user.click(box);
    expect([box.checked, areOwnVisitsIgnored()]).toEqual([true, true]);
  });
});
