import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** The waiting people, and the waves of invitations. */
const meta = {
  title: 'Dashboard/Invites',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=invites' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story['play']>>[0];

async function openDialog({ userEvent }: Context) {
  await userEvent.click(await screen.findByRole('button', { name: 'Invite people…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
  await expect(await dialog.findByText(/people are waiting\./)).toBeVisible();
  return dialog;
}

/** Each wave with the number of invitations sent, invitations waiting and people who joined. */
export const Waves: Story = {
  play: async () => {
    await expect(await screen.findByText('96 sent, 154 waiting, 11 joined')).toBeVisible();
    await expect(screen.getByText('97 sent, 3 not delivered, 61 joined')).toBeVisible();
  },
};

/** No invitations have been sent yet. */
export const NoWaves: Story = { args: { server: { isEmpty: true } } };

/** The waves are loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/list': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/list': 'unreachable' } } } };

/** Inviting requires a server setting. The dialog names it. */
export const NotSetUp: Story = {
  args: { server: { list: { canInvite: false } } },
  play: async (context) => {
    const dialog = await openDialog(context);
    await expect(dialog.getByRole('button', { name: /^Invite/ })).toBeDisabled();
    await expect(dialog.getByText(/Set INVITE_URL/)).toBeVisible();
  },
};

/** Only a possible number can be submitted. Enter starts the wave, which is then listed. */
export const InviteTheNext: Story = {
  play: async (context) => {
    const { userEvent, step } = context;
    const dialog = await openDialog(context);
    const field = dialog.getByRole('textbox', { name: /^Number of people/ });
    await step('An impossible number', async () => {
      await waitFor(() => expect(field).toHaveFocus());
      await userEvent.keyboard('99999{Enter}');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(dialog.getByRole('button', { name: 'Invite 99,999' })).toBeDisabled();
    });
    await step('A possible one', async () => {
      await userEvent.clear(field);
      await userEvent.type(field, '25{Enter}');
      await expect(await screen.findByText('25 people invited. Their emails are queued.')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await expect(await screen.findByText('0 sent, 25 waiting, 0 joined')).toBeVisible();
    });
  },
};

/** Another admin was faster: no one is invited, the reason is shown, and a second click is a decision. */
export const AnotherWaveMeanwhile: Story = {
  args: { server: { list: { isOutdated: true } } },
  play: async (context) => {
    const { userEvent } = context;
    const dialog = await openDialog(context);
    await userEvent.click(dialog.getByRole('button', { name: 'Invite 50' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('because another wave was started'));
    await waitFor(() => expect(screen.getAllByText('96 sent, 154 waiting, 11 joined')).toHaveLength(2));
    await userEvent.click(dialog.getByRole('button', { name: 'Invite 50' }));
    await expect(await screen.findByText('50 people invited. Their emails are queued.')).toBeVisible();
  },
};

/** Invitations that were not sent yet are withdrawn. */
export const TakeBack: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Withdraw unsent invitations of/ }));
    await expect(await screen.findByText('154 invitations withdrawn.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Withdraw unsent/ })).toBeNull());
  },
};

/** The invitations could not be withdrawn, and the page says so. */
export const TakeBackFails: Story = {
  args: { server: { failures: { 'POST /admin/invites/3/withdraw': 500 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Withdraw unsent invitations of/ }));
    await expect(await screen.findByText(/could not do this right now/)).toBeVisible();
  },
};

const LINKS = [
  {
    id: 'person-3',
    email: 'a-very-long-name.of.someone@a-very-long-company-name.example',
    signups: 10_000,
    confirmed: 212,
    counted: 38,
    held: 174,
    rejected: 0,
  },
  { id: 'person-8', email: 'ada@example.com', signups: 41, confirmed: 29, counted: 27, held: 0, rejected: 2 },
  { id: 'person-9', email: 'grace@example.com', signups: 3, confirmed: 0, counted: 0, held: 0, rejected: 0 },
];

const WITH_LINKS = { server: { list: { links: LINKS } } };

/** A share link with unusually many signups waits for a decision. */
export const ShareLinks: Story = {
  args: WITH_LINKS,
  play: async ({ userEvent }) => {
    const table = within(await screen.findByRole('region', { name: 'Share links by signups' }));
    await expect(table.getByText('10,000')).toBeVisible();
    const right = (text: string) => table.getByText(text).getBoundingClientRect().right;
    await expect(right('212')).toBeCloseTo(right('29'));
    await expect(right('2.1%')).toBeCloseTo(right('70.7%'));
    await userEvent.click(table.getByRole('button', { name: /^Approve held referrals from a-very/ }));
    await expect(await screen.findByText(/^174 referrals approved for a-very/)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: /held of/ })).toBeNull());
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Share links' })).toHaveFocus());
  },
};

/** Rejecting asks for confirmation and can be undone. */
export const RejectShareLink: Story = {
  args: WITH_LINKS,
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Reject held referrals from a-very/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Reject 174 referrals?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Reject' }));
    await expect(await screen.findByText(/^174 referrals rejected for a-very/)).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: /^Undo rejection of a-very/ }));
    await expect(await screen.findByText(/^174 referrals held again for a-very/)).toBeVisible();
    await expect(await screen.findByRole('button', { name: /^Reject held referrals from a-very/ })).toBeVisible();
  },
};

/** The share links on a tablet, with both decisions side by side. */
export const ShareLinksOnTablet: Story = {
  args: WITH_LINKS,
  globals: { viewport: { value: 'tablet', isRotated: false } },
  play: async () => {
    const { height } = (await screen.findByText('2 rejected')).getBoundingClientRect();
    await expect(height).toBeLessThan(30);
    const { top } = screen.getByRole('button', { name: /^Approve held/ }).getBoundingClientRect();
    await expect(screen.getByRole('button', { name: /^Reject held/ }).getBoundingClientRect().top).toBe(top);
  },
};

/** No referrals yet. */
export const NoShareLinks: Story = { args: { server: { list: { links: [] } } } };

/** If people have share links, the admin chooses the order. */
export const InviteByReferrals: Story = {
  args: WITH_LINKS,
  play: async (context) => {
    const { userEvent } = context;
    const dialog = await openDialog(context);
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Order' }), 'referrals');
    await userEvent.click(dialog.getByRole('button', { name: 'Invite 50' }));
    await expect(await screen.findByText('50 people invited. Their emails are queued.')).toBeVisible();
  },
};

/** The people selected in the list are invited. */
export const InviteSelected: Story = {
  args: { search: 'page=people' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Select amara.abebe7@/ }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select femi.abebe12@/ }));
    const selected = within(screen.getByRole('region', { name: 'Selected people' }));
    await userEvent.click(selected.getByRole('button', { name: 'Invite…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Invite' }));
    await expect(await screen.findByText('2 people invited. Their emails are queued.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected people' })).toBeNull());
  },
};
