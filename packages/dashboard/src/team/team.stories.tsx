import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';
import { OVERVIEW_KEY } from '../testing/team.fixture.ts';

/** The dashboard's users, what each role sees, and links to the overview. */
const meta = {
  title: 'Dashboard/Team',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=settings' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The address field has the focus, and Enter sends the invitation. */
export const Invite: Story = {
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('Owner, set in ADMIN_EMAIL.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Invite someone' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite someone' }));
    await waitFor(() => expect(dialog.getByRole('textbox', { name: 'Email address' })).toHaveFocus());
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Role' }), 'Editor');
    await expect(dialog.getByText(/^Sees the figures and people/)).toBeVisible();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Email address' }), 'ada@acme.example{Enter}');
    await expect(await screen.findByText('ada@acme.example')).toBeVisible();
    await expect(screen.getByRole('combobox', { name: 'Role of ada@acme.example' })).toHaveValue('editor');
  },
};

/** The address already belongs to the team, and the dialog says so. */
export const InvitedAlready: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Invite someone' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Email address' }), 'grace@acme.example{Enter}');
    await expect(await screen.findByText('This address is already in the team.')).toBeVisible();
  },
};

/** A member of the team becomes a viewer. */
export const ChangeRole: Story = {
  play: async ({ userEvent }) => {
    const role = await screen.findByRole('combobox', { name: 'Role of grace@acme.example' });
    await userEvent.selectOptions(role, 'Viewer');
    await expect(await screen.findByText('Role of grace@acme.example changed to Viewer.')).toBeVisible();
  },
};

/** The team and the links to the overview on a phone. */
export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

/** A viewer sees two pages. */
export const Viewer: Story = {
  args: { search: 'page=people', server: { role: 'viewer' } },
  play: async () => {
    await expect(await screen.findByText('New signups')).toBeVisible();
    const pages = within(screen.getByRole('navigation', { name: 'Pages' }));
    await expect(pages.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Overview', 'Settings']);
    await expect(pages.queryByRole('button')).toBeNull();
    await expect(shownServer().requests.filter((request) => /people|first-steps/.test(request))).toEqual([]);
  },
};

/** A viewer sees neither the team nor the API keys. */
export const SettingsOfViewer: Story = {
  args: { server: { role: 'viewer' } },
  play: async () => {
    await expect(await screen.findByText('Signed in as admin@acme.example, viewer')).toBeVisible();
    await expect(screen.queryByText('Team')).toBeNull();
    await expect(screen.queryByText('API keys')).toBeNull();
  },
};

/** An editor can read the list. */
export const PeopleOfEditor: Story = {
  args: { search: 'page=people', server: { role: 'editor', people: 20 } },
  play: async ({ userEvent }) => {
    const [person] = await screen.findAllByRole('button', { name: /@/ });
    await expect(screen.queryByRole('checkbox')).toBeNull();
    await expect(screen.queryByRole('button', { name: /^(Invite|Add)…|CSV/ })).toBeNull();
    if (person) await userEvent.click(person);
    const panel = within(await screen.findByRole('dialog'));
    await expect(await panel.findByRole('button', { name: 'Print' })).toBeVisible();
    await expect(
      panel.queryByRole('button', { name: /^Add$|^Remove label|Erase|Unsubscribe|Correct|Send/ }),
    ).toBeNull();
  },
};

/** An editor can write drafts. Only an admin can send them. */
export const CampaignsOfEditor: Story = {
  args: { search: 'page=campaigns&campaign=new', server: { role: 'editor' } },
  play: async () => {
    await expect(await screen.findByText('Only an admin can send it.')).toBeVisible();
    await expect(screen.queryByRole('button', { name: /^Send/ })).toBeNull();
  },
};

/** Another admin has reduced the role's rights since the page was opened. */
export const NoLongerAllowed: Story = {
  args: { search: 'page=campaigns' },
  play: async ({ userEvent }) => {
    const [pause] = await screen.findAllByRole('button', { name: 'Pause' });
    shownServer().setRole('viewer');
    if (pause) await userEvent.click(pause);
    await expect((await screen.findAllByText(/^Your role does not allow this/))[0]).toBeVisible();
    await expect(await screen.findByText('New signups')).toBeVisible();
  },
};

/** The link is shown once. */
export const CreateLink: Story = {
  args: { server: { isEmpty: true } },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText(/^No links yet/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Create link' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Investors{Enter}');
    const made = within(await screen.findByRole('dialog', { name: 'Link created' }));
    const link = made.getByRole<HTMLInputElement>('textbox', { name: 'Link' });
    await expect(link.value).toContain(`#overview=${OVERVIEW_KEY}`);
    await userEvent.click(made.getByRole('button', { name: 'Done' }));
    await expect(await screen.findByText(/^Never opened/)).toBeVisible();
  },
};

const openLink = (key: string) => () => {
  location.hash = `overview=${key}`;
  return () => history.replaceState(null, '', location.pathname + location.search);
};

/** The overview of someone without an account. A filter keeps the key in the URL for a reload. */
export const SharedOverview: Story = {
  args: { search: '', server: { signedIn: false } },
  beforeEach: openLink(OVERVIEW_KEY),
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('New signups')).toBeVisible();
    await expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^New signups/ }));
    await expect(location.hash).toBe(`#overview=${OVERVIEW_KEY}`);
  },
};
