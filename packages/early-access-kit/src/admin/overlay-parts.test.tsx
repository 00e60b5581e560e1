// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { memoryAdapter } from '../adapters/memory.ts';
import { ar } from '../messages/ar.ts';
import { EarlyAccessProvider, type EarlyAccessProviderProps } from '../provider.tsx';
import { AdminOverlay } from './admin-overlay.tsx';
import type { AdminOverlayClassNames } from './class-names.ts';
import { ADMIN, dialog, overlayInTests, press } from './overlay.fixture.tsx';
import { ADMIN_EMAIL_KEY } from './stored-admin-email.ts';

overlayInTests();

const IN_ACCESS = ['accessForm', 'accessLabel', 'accessInput', 'accessProblem', 'accessSubmit'] as const;
const IN_DIALOGS = ['root', 'dialog', 'dialogHeader', 'dialogTitle', 'dialogClose'] as const;
const UNLOCKED = [
  'counter',
  'counterButton',
  'counterItem',
  'counterLabel',
  'counterValue',
  'figures',
  'figure',
  'figureLabel',
  'figureValue',
  'figurePeriod',
  'ownVisits',
  'ownVisitsBox',
  'overviewEnd',
  'overviewNote',
  'overviewButtons',
  'overviewButton',
] as const;
const classNames: AdminOverlayClassNames = Object.fromEntries(
  [...IN_ACCESS, ...IN_DIALOGS, ...UNLOCKED].map((part) => [part, `my-${part}`]),
);

function setUp(provider: Partial<EarlyAccessProviderProps> = {}) {
  return render(
    <EarlyAccessProvider adapter={memoryAdapter({ adminEmail: ADMIN })} {...provider}>
      <AdminOverlay classNames={classNames} />
    </EarlyAccessProvider>,
  );
}

function expectParts(container: Element, parts: readonly string[]) {
  for (const part of parts) {
    expect(container.querySelector(`.my-${part}`)?.className, part).toMatch(new RegExp(`^eak-[\\w- ]+ my-${part}$`));
  }
  const own = [...container.querySelectorAll('.eak-admin, .eak-admin *')].filter((part) => part.localName !== 'path');
  expect(own.filter((part) => !part.getAttribute('class')?.startsWith('eak-'))).toEqual([]);
}

it('every part has the host’s class after its own', async () => {
  const { container } = setUp();
  press();
  await dialog('Admin Access');
  expectParts(container, [...IN_ACCESS, ...IN_DIALOGS]);
  fireEvent.change(screen.getByLabelText('Admin email'), { target: { value: ADMIN } });
  fireEvent.click(screen.getByRole('button', { name: 'Access Analytics' }));
  await dialog('Analytics Overview');
  expectParts(container, [...UNLOCKED, ...IN_DIALOGS]);
});

it("figures and the lang attribute follow the provider's locale", async () => {
  localStorage.setItem(ADMIN_EMAIL_KEY, ADMIN);
  const { container } = setUp({ messages: ar, locale: 'ar-EG' });
  await screen.findByRole('button', { name: /الزوّار الفريدون/ });
  await vi.waitFor(() => expect(container.querySelector('.eak-counter__value')?.textContent).toBe('٠'));
  expect(container.querySelector('.eak-admin')?.getAttribute('lang')).toBe('ar-EG');
});

it('scrolls a focused element out from under the counter box', async () => {
  localStorage.setItem(ADMIN_EMAIL_KEY, ADMIN);
  const scrollBy = vi.spyOn(window, 'scrollBy').mockImplementation(() => {});
  const at = (element: Element, top: number, left: number) =>
    vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(left, top, 100, 50));
  const elsewhere = document.body.appendChild(document.createElement('button'));
  setUp();
  at(await screen.findByRole('region', { name: 'Analytics Overview' }), 700, 900);
  const focus = async () => {
    act(() => elsewhere.focus());
    await act(() => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
    elsewhere.blur();
  };
  at(elsewhere, 720, 0);
  await focus();
  expect(scrollBy).not.toHaveBeenCalled();
  at(elsewhere, 720, 950);
  await focus();
  expect(scrollBy).toHaveBeenCalledExactlyOnceWith({ top: 78 });
  elsewhere.remove();
});
