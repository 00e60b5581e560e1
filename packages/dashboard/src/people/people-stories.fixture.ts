import { expect, screen, type UserEventObject, waitFor, within } from 'storybook/test';

export const PERSON = 'amara.abebe7@mail.example';

type User = Pick<UserEventObject, 'click'>;

export async function openFilters(user: User) {
  await user.click(await screen.findByRole('button', { name: 'Filters', expanded: false }));
  return within(await screen.findByRole('dialog', { name: 'Filters' }));
}

/** Chooses an action in the menu of a person's record. */
export async function chooseAction(user: User, name: string) {
  await user.click(await screen.findByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('button', { name }));
}

/** Expects that everything in `element` can be scrolled clear of the message. */
export async function expectUncovered(element: HTMLElement, message: HTMLElement) {
  const top = () => (message.closest('[data-type], [role="dialog"]') ?? message).getBoundingClientRect().top;
  const parts = within(element).getAllByRole('heading').concat(within(element).getAllByRole('button'));
  for (const part of parts) {
    part.scrollIntoView({ block: 'nearest' });
    // Scrolling stops at whole pixels.
    await waitFor(() => expect(part.getBoundingClientRect().bottom).toBeLessThan(top() + 1));
  }
}
