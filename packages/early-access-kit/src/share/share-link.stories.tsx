import type { Meta, StoryObj } from '@storybook/react-vite';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type SharedLink, ShareLink, withShare } from 'early-access-kit/share';
import { expect } from 'storybook/test';
import { onPage, provideStore } from '../../stories/on-page.tsx';

const LINK: SharedLink = {
  url: 'https://www.acme.example/join?utm_source=share&utm_content=3xNq-8aPzk',
  title: 'Share your link',
  hint: 'A friend counts once they have confirmed their address.',
  text: 'I’m on the waitlist. Join me:',
  share: 'Share',
  copy: 'Copy link',
  copied: 'Copied',
  friends: 'Friends who joined: 2',
  place: 'Your place in line: 1,204',
};

const SIGNUP = {
  email: 'ada@example.com',
  session_id: null,
  source: 'story',
  referrer: null,
  submission_id: 'story-number-1',
};

/** Parameters of a page whose visitor has signed up and has this link. */
const signedUp = (link: SharedLink) =>
  provideStore(() => {
    const adapter = withShare(memoryAdapter({ share: link }));
    adapter.createSignup(SIGNUP);
    return adapter;
  });

/** The link of a visitor who has just signed up. The server provides its texts in the language of the page. */
const meta = {
  title: 'Widgets/Share link',
  component: ShareLink,
  decorators: [onPage],
} satisfies Meta<typeof ShareLink>;

export default meta;

type Story = StoryObj<typeof meta>;

export const WithPlace: Story = {
  parameters: signedUp(LINK),
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('textbox', { name: LINK.title })).toHaveValue(LINK.url);
    await expect(canvas.getByText(`${LINK.friends} · ${LINK.place}`)).toBeVisible();
  },
};

const { place: _, ...withoutPlace } = LINK;

/** Tabbing into the address selects it. */
export const WithoutPlace: Story = {
  parameters: signedUp(withoutPlace),
  play: async ({ canvas, userEvent }) => {
    const url = await canvas.findByRole<HTMLInputElement>('textbox', { name: LINK.title });
    await userEvent.tab();
    await expect(url).toHaveFocus();
    await expect(url.selectionEnd).toBe(LINK.url.length);
  },
};
