import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, within } from 'storybook/test';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** Endpoints for the list's events, and the result of each delivery. */
const meta = {
  title: 'Dashboard/Webhooks',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=webhooks' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** One works, one fails, one was disabled after a day of failures, and one is off. */
export const Endpoints: Story = {
  play: async () => {
    await expect(await screen.findByRole('heading', { name: 'CRM' })).toBeVisible();
    await expect(await screen.findByText(/has failed since/)).toBeVisible();
    await expect(screen.getByText(/failed for a day/)).toBeVisible();
  },
};

/** The latest events of an endpoint. Each can be sent again. */
export const Deliveries: Story = {
  play: async ({ userEvent }) => {
    const [show] = await screen.findAllByRole('button', { name: 'Show deliveries' });
    if (show) await userEvent.click(show);
    const [again] = await screen.findAllByRole('button', { name: /^Send again: New signup/ });
    if (again) await userEvent.click(again);
    await expect(await screen.findByText('Event resent.')).toBeVisible();
  },
};

/** An endpoint is added, and its secret is shown once. */
export const Adding: Story = {
  args: { server: { isEmpty: true } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add endpoint' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add endpoint' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'URL' }), 'https://hooks.slack.com/services/T0');
    await expect(dialog.getByRole('combobox', { name: 'Format' })).toHaveValue('slack');
    await userEvent.clear(dialog.getByRole('textbox', { name: 'URL' }));
    await userEvent.type(dialog.getByRole('textbox', { name: 'URL' }), 'https://acme.example/hooks');
    await userEvent.click(dialog.getByRole('checkbox', { name: /^Person erased/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    const added = within(await screen.findByRole('dialog', { name: 'Endpoint added' }));
    await expect(added.getByRole('textbox', { name: 'Secret' })).toHaveValue('whsec_TUZLUTlyOEdLWXFyVHdqVVBEOElMUFo=');
    // The secret cannot be shown again, so only the button closes the dialog.
    await userEvent.keyboard('{Escape}');
    await expect(added.queryByRole('button', { name: 'Close' })).toBeNull();
    await expect(added.getByRole('textbox', { name: 'Secret' })).toBeVisible();
    await userEvent.click(added.getByRole('button', { name: 'Done' }));
    await expect(await screen.findByRole('heading', { name: 'acme.example' })).toBeVisible();
  },
};

/** An endpoint gets a name that is not its host. */
export const Named: Story = {
  play: async ({ userEvent }) => {
    const [, edit] = await screen.findAllByRole('button', { name: 'Edit' });
    if (edit) await userEvent.click(edit);
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit endpoint' }));
    // The host is only a suggestion.
    const name = dialog.getByRole('textbox', { name: 'Name (optional)' });
    await expect(name).toHaveValue('');
    await userEvent.type(name, 'Team chat');
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
    await expect(await screen.findByRole('heading', { name: 'Team chat' })).toBeVisible();
  },
};

/** The server rejects the URL and says why. */
export const UrlRefused: Story = {
  args: { server: { failures: { 'POST /admin/webhooks': 400 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add endpoint' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Add' }));
    await expect(await screen.findByText('The server said no.')).toBeVisible();
  },
};

/** One endpoint accepts the test event, and another one cannot be reached. */
export const TestEvent: Story = {
  play: async ({ userEvent }) => {
    const [works, fails] = await screen.findAllByRole('button', { name: 'Send a test event' });
    if (works && fails) {
      await userEvent.click(works);
      await userEvent.click(fails);
    }
    await expect(await screen.findByText('It responded 200.')).toBeVisible();
    await expect(await screen.findByText('Not delivered: nothing listens there.')).toBeVisible();
  },
};

/** A disabled endpoint is turned on and gets the events it missed. */
export const TurnedOn: Story = {
  play: async ({ userEvent }) => {
    const [button] = await screen.findAllByRole('button', { name: 'Turn on' });
    if (button) await userEvent.click(button);
    await expect(await screen.findByText(/It will receive events from the last day/)).toBeVisible();
  },
};

/** An endpoint is removed after a confirmation. */
export const Removing: Story = {
  play: async ({ userEvent }) => {
    const [button] = await screen.findAllByRole('button', { name: 'Remove…' });
    if (button) await userEvent.click(button);
    const dialog = within(await screen.findByRole('dialog', { name: /^Remove/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await expect(await screen.findByText('Endpoint removed.')).toBeVisible();
  },
};

/** No endpoints have been added yet. */
export const Empty: Story = { args: { server: { isEmpty: true } } };

/** The endpoints are loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/webhooks': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/webhooks': 'unreachable' } } } };
