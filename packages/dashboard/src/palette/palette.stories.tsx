import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

/** Finding pages, actions and people by keyboard. */
const meta = {
  title: 'Dashboard/Command palette',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=settings' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story['play']>>[0];

async function openPalette({ userEvent }: Pick<Context, 'userEvent'>) {
  await screen.findByRole('heading', { level: 1 });
  await userEvent.keyboard('{Control>}k{/Control}');
  const input = await screen.findByRole('combobox', { name: 'Search pages, people and actions' });
  await waitFor(() => expect(input).toHaveFocus());
  return input;
}

const optionTexts = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

/** The palette lists pages and actions before anything is typed. */
export const Open: Story = {
  play: async (context) => {
    await openPalette(context);
    await expect(optionTexts()).toEqual(expect.arrayContaining(['People', 'Settings', 'Add a person…']));
  },
};

/** On a phone, buttons open and close the palette. */
export const OpenOnSmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Search' }));
    const palette = await screen.findByRole('dialog', { name: 'Search pages, people and actions' });
    await expect(palette.getBoundingClientRect().right).toBeLessThanOrEqual(innerWidth);
    await userEvent.click(within(palette).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Search' })).toHaveFocus());
  },
};

/** Enter opens the first result. */
export const Page: Story = {
  play: async (context) => {
    await openPalette(context);
    await context.userEvent.keyboard('heal');
    await waitFor(() => expect(optionTexts()).toEqual(['Health']));
    await context.userEvent.keyboard('{Enter}');
    await expect(await screen.findByRole('heading', { name: 'Health', level: 1 })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
  },
};

/** A person is found by address. A word typed without a pause causes one request. */
export const Person: Story = {
  play: async (context) => {
    await openPalette(context);
    await context.userEvent.keyboard('amara.abebe7');
    await expect(await screen.findByRole('option', { name: 'amara.abebe7@mail.example' })).toBeVisible();
    const searches = shownServer().requests.filter((name) => name === 'POST /admin/people/search');
    await expect(searches).toHaveLength(1);
    await context.userEvent.keyboard('{Enter}');
    await expect(await screen.findByRole('dialog', { name: 'amara.abebe7@mail.example' })).toBeVisible();
  },
};

/** An action is found by its name, and Enter opens its dialog. */
export const Action: Story = {
  play: async (context) => {
    await openPalette(context);
    await context.userEvent.keyboard('close list');
    await waitFor(() => expect(optionTexts()).toEqual(['Close or open the list…']));
    await context.userEvent.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: /signups/i });
    await expect(dialog).toBeVisible();
    // Ctrl+K does nothing while a dialog is open.
    await context.userEvent.keyboard('{Control>}k{/Control}');
    await expect(screen.getAllByRole('dialog')).toEqual([dialog]);
  },
};

/** Nothing matches the text. Escape closes the palette. */
export const NothingFound: Story = {
  play: async (context) => {
    await openPalette(context);
    await context.userEvent.keyboard('%_%');
    await expect(await screen.findByText('No results')).toBeVisible();
    await context.userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
};

/** A viewer finds pages and actions, but no people. */
export const ForViewer: Story = {
  args: { server: { role: 'viewer' } },
  play: async (context) => {
    await openPalette(context);
    await expect(optionTexts()).toEqual(['Overview', 'Settings']);
    await context.userEvent.keyboard('amara');
    await expect(await screen.findByText('No results')).toBeVisible();
    await expect(shownServer().requests.filter((name) => name.includes('/people'))).toEqual([]);
  },
};
