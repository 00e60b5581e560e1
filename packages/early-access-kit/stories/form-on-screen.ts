import type { Messages } from 'early-access-kit';
import { expect, fireEvent, screen, waitFor, within } from 'storybook/test';

/** Finding the sign-up form in play functions, by what a visitor sees or hears. */

export type Canvas = Pick<typeof screen, 'getByLabelText' | 'getByRole' | 'getByText' | 'findByText' | 'queryByText'>;

export const field = (canvas: Canvas, { emailLabel }: Messages) => canvas.getByLabelText<HTMLInputElement>(emailLabel);
export const button = (canvas: Canvas, { submit }: Messages) => canvas.getByRole('button', { name: submit });
/** The region in which toasts are announced. */
export const announcements = (canvas: Canvas = screen) => canvas.getByRole('status');

/** What screen readers say of an element after its name. */
export function descriptionOf(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

/** Waits until a toast says this, and keeps it: a toast under the pointer does not go. */
export async function keepToast(text: string, region: HTMLElement = announcements()): Promise<void> {
  await waitFor(async () => {
    const toast = within(region).getByText(text).parentElement;
    await expect(toast).toBeVisible();
    if (toast) await fireEvent.pointerOver(toast);
  });
}
