import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** API keys, on the settings page. */
const meta = {
  title: 'Dashboard/API keys',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=settings' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The name field has the focus, and Enter creates the key. */
export const Making: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create key' }));
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await waitFor(() => expect(name).toHaveFocus());
    await expect(dialog.getByRole('checkbox', { name: /^Read analytics/ })).toBeChecked();
    await userEvent.keyboard('Figures of the week');
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard(' ');
    await expect(dialog.getByRole('checkbox', { name: /^Read people/ })).toBeChecked();
  },
};

/** The key is shown once, with a button that copies it. */
export const Made: Story = {
  args: { server: { isEmpty: true } },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText(/^No keys yet/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Create key' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create key' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Figures of the week{Enter}');
    const made = within(await screen.findByRole('dialog', { name: 'Key created' }));
    await expect(made.getByRole('textbox', { name: 'Key' })).toHaveValue(
      'eak_TUZLUTlyOEdLWXFyVHdqVVBEOElMUFo2M2ZfZ0Fo-0A',
    );
    await userEvent.click(made.getByRole('button', { name: 'Copy' }));
    await expect(await screen.findByText(/^Copied\.$|^Copying failed/)).toBeVisible();
  },
};

/** The server rejects the name, and the field shows the reason. */
export const Refused: Story = {
  args: { server: { failures: { 'POST /admin/api-keys': 400 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Create key' }));
    await expect(await screen.findByText('The server said no.')).toBeVisible();
    await expect(screen.getByRole('textbox', { name: 'Name' })).toBeInvalid();
  },
};

/** The dialog says that programs with this key lose access. */
export const Revoking: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke CRM sync…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Revoke CRM sync?' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await expect(dialog.getByText(/lose access immediately/)).toBeVisible();
  },
};

/** Another admin revoked the key first. */
export const RevokedAlready: Story = {
  args: { server: { failures: { 'POST /admin/api-keys/crm/revoke': 404 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke CRM sync…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke key' }));
    await expect((await screen.findAllByText('This no longer exists.'))[0]).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /^Revoke/ })).toBeNull());
  },
};

/** The keys are loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/api-keys': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/api-keys': 'unreachable' } } } };
