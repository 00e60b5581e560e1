import { expect, waitFor, within } from 'storybook/test';

export const PERSON = 'amara.abebe7@mail.example';

/** Expects that everything in `element` can be read and pressed while the message is shown. */
export async function expectUncovered(element: HTMLElement, message: HTMLElement) {
  const top = () => (message.closest('[data-type], [role="dialog"]') ?? message).getBoundingClientRect().top;
  const parts = within(element).getAllByRole('heading').concat(within(element).getAllByRole('button'));
  for (const part of parts) {
    part.scrollIntoView({ block: 'nearest' });
    await waitFor(() => expect(part.getBoundingClientRect().bottom).toBeLessThanOrEqual(top()));
  }
}
