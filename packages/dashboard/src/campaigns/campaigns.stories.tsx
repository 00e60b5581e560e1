import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** Emails to many people: writing, previewing, sending, and their progress. */
const meta = {
  title: 'Dashboard/Campaigns',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=campaigns' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;
type Play = Parameters<NonNullable<Story['play']>>[0];

const SMALL = { globals: { viewport: { value: 'small', isRotated: false } } } as const;

/** The card of the email with this subject. */
const card = async (name: string) => within(await screen.findByRole('region', { name }));

export const List: Story = {
  play: async () => {
    const sending = await card('We launch on Tuesday');
    await expect(sending.getByRole('progressbar')).toBeVisible();
    await expect(sending.getByText('1,204 of 2,940 people, 12 failed, 1 unknown')).toBeVisible();
  },
};

export const ListOnSmallPhone: Story = { ...SMALL };

export const Empty: Story = { args: { server: { isEmpty: true } } };

export const Loading: Story = { args: { server: { failures: { 'GET /admin/campaigns': 'pending' } } } };

export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/campaigns': 'unreachable' } } } };

export const WithoutMailServer: Story = {
  args: { search: 'page=campaigns&campaign=1', server: { canSend: false } },
  play: async () => {
    await expect(await screen.findByText(/Emails are not sent/)).toBeVisible();
    await expect(await screen.findByRole('button', { name: /^Send to/ })).toBeDisabled();
  },
};

export const PauseAndResume: Story = {
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    await userEvent.click(sending.getByRole('button', { name: 'Pause' }));
    await userEvent.click(await sending.findByRole('button', { name: 'Resume' }));
    await expect(await sending.findByRole('button', { name: 'Pause' })).toBeVisible();
  },
};

/** Cancels with the keyboard alone. */
export const Cancel: Story = {
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    sending.getByRole('button', { name: 'Cancel…' }).focus();
    await userEvent.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this email?' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Keep the email' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(await sending.findByText('Cancelled')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
};

export const DeleteDraft: Story = {
  play: async ({ userEvent }) => {
    const draft = await card('Without a subject');
    await userEvent.click(draft.getByRole('button', { name: 'Delete…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete the draft' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Without a subject' })).toBeNull());
  },
};

/** Another admin was faster. */
export const ChangedMeanwhile: Story = {
  args: { server: { failures: { 'POST /admin/campaigns/4/state': 409 } } },
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    await userEvent.click(sending.getByRole('button', { name: 'Pause' }));
    await expect(await screen.findByText('The server said no.')).toBeVisible();
  },
};

export const Draft: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async () => {
    await expect(await screen.findByTitle('Preview: Email')).toBeVisible();
    await waitFor(() => expect(screen.getByText('It goes to 240 people.')).toBeVisible());
  },
};

export const DraftOnSmallPhone: Story = { ...Draft, ...SMALL };

export const Previews: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async ({ userEvent }) => {
    for (const name of ['Phone', 'Dark', 'Text']) {
      await userEvent.click(await screen.findByRole('button', { name }));
      await expect(await screen.findByTitle(`Preview: ${name}`)).toBeVisible();
      await expect(screen.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');
    }
  },
};

async function writeEmail({ userEvent }: Play): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Write an email' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Subject' }), 'Hello');
  await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), 'We are **live**.');
}

/** It is stored while it is written, and sent after a question. */
export const WriteAndSend: Story = {
  play: async (context) => {
    const { userEvent, step } = context;
    await writeEmail(context);
    await waitFor(() => expect(screen.getByTitle('Preview: Email')).toBeVisible(), { timeout: 5_000 });
    await step('Choose the audience', async () => {
      await waitFor(() => expect(screen.getByText('It goes to 2,940 people.')).toBeVisible());
      await userEvent.click(screen.getByRole('checkbox', { name: 'joined' }));
      await waitFor(() => expect(screen.getByText('It goes to 1,960 people.')).toBeVisible());
    });
    await step('Start', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Send to 1,960 people…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Send “Hello” to 1,960 people?' }));
      await userEvent.click(dialog.getByRole('button', { name: 'Start sending' }));
      const sending = await card('Hello');
      await expect(await sending.findByText('0 of 1,960 people')).toBeVisible();
    });
  },
};

export const NotSaved: Story = {
  args: { server: { failures: { 'POST /admin/campaigns': 'unreachable' } } },
  play: async (context) => {
    await writeEmail(context);
    await expect(await screen.findByRole('alert', undefined, { timeout: 5_000 })).toHaveTextContent(
      /^It is not saved:/,
    );
    await expect(screen.getByRole('textbox', { name: 'Subject' })).toHaveValue('Hello');
  },
};

export const TestSent: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send a test to me' }));
    await expect(await screen.findByText(/^Sent to admin@acme.example/)).toBeVisible();
  },
};
