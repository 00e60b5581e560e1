import type { Messages } from 'early-access-kit';
import { expect, fireEvent, screen, waitFor, within } from 'storybook/test';

/** Finds parts of the signup form in play functions, by their text or accessible name. */

export type Canvas = Pick<typeof screen, 'getByLabelText' | 'getByRole' | 'getByText' | 'findByText' | 'queryByText'>;

export const field = (canvas: Canvas, { emailLabel }: Messages) => canvas.getByLabelText<HTMLInputElement>(emailLabel);
export const button = (canvas: Canvas, { submit }: Messages) => canvas.getByRole('button', { name: submit });
/** Returns the region that announces toasts. */
export const announcements = (canvas: Canvas = screen) => canvas.getByRole('status');

/** Returns an element's accessible description. */
export function readDescription(element: Element): string {
  const ids = element.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
}

/** Waits for a toast with this text and moves the pointer over it, so that it does not disappear. */
export async function keepToast(text: string, region: HTMLElement = announcements()): Promise<void> {
  await waitFor(async () => {
    const toast = within(region).getByText(text).parentElement;
    await expect(toast).toBeVisible();
    if (toast) await fireEvent.pointerOver(toast);
  });
}
