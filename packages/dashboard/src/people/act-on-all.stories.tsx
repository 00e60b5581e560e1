import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';
import { PERSON } from './people-stories.fixture.ts';

/** Labels, and actions on everyone who matches a filter. */
const meta = {
  title: 'Dashboard/Act on all',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=people&source=pricing_page' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The dialog shows the number of people, and the page the progress. */
export const Label: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Act on all \d{3}…$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^All \d{3} people$/ }));
    await expect(dialog.getByRole('combobox', { name: 'Label' })).toHaveFocus();
    await userEvent.keyboard('a, b');
    await userEvent.click(dialog.getByRole('button', { name: /^Label \d{3} people$/ }));
    await expect(dialog.getByRole('alert')).toHaveTextContent('Enter a label without commas.');
    await userEvent.clear(dialog.getByRole('combobox', { name: 'Label' }));
    await userEvent.type(dialog.getByRole('combobox', { name: 'Label' }), 'VIP{Enter}');
    await expect(await screen.findByText(/^\d{3} people labeled\.$/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Hide' }));
    await expect(screen.queryByRole('heading', { name: 'Changing labels' })).toBeNull();
  },
};

/** Erasing requires typing a phrase that contains the number. */
export const Erase: Story = {
  globals: { viewport: { value: 'phone', isRotated: false } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Act on all \d{3}…$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^All \d{3} people$/ }));
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Action' }), 'Erase');
    await userEvent.click(dialog.getByRole('button', { name: /^Erase \d{3} people$/ }));
    await expect(dialog.getByRole('alert')).toHaveTextContent('Nobody was erased.');
    const phrase = dialog.getByText(/^erase \d+$/).textContent;
    await userEvent.type(dialog.getByRole('textbox', { name: /to confirm$/ }), `${phrase}{Enter}`);
    await expect(await screen.findByText(/^\d{3} people erased\.$/)).toBeVisible();
    await expect(shownServer().requests).toContain('POST /admin/bulk/forget');
  },
};

/** The list has changed since the dialog opened, so nothing is done. */
export const Refused: Story = {
  args: { server: { failures: { 'POST /admin/bulk/label': 409 } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Act on all \d{3}…$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^All \d{3} people$/ }));
    await userEvent.type(dialog.getByRole('combobox', { name: 'Label' }), 'VIP{Enter}');
    await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('The server said no.'));
  },
};

/** An action on many people is paused, resumed and canceled. */
export const Progress: Story = {
  args: { server: { bulk: {} } },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('1,200 of 4,213 people. 20 people are unchanged.')).toBeVisible();
    await expect(screen.getByRole('progressbar', { name: 'Progress' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
    await expect(await screen.findByText(/people\. Paused\./)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await expect(
      await screen.findByText(/^Canceled after 1,200 of 4,213 people\. 1,180 people labeled\./),
    ).toBeVisible();
  },
};

/** Nothing is done before everyone is known. */
export const Collecting: Story = {
  args: { server: { bulk: { action: 'forget', is_collecting: true, done: 0, unchanged: 0 } } },
  play: async () => {
    await expect(await screen.findByText('Collecting 4,213 people. Nothing has been done yet.')).toBeVisible();
  },
};

/** Some people could not be erased. */
export const Ended: Story = {
  args: {
    server: { bulk: { action: 'forget', state: 'done', ended_at: Date.now(), done: 4_200, unchanged: 0, left: 13 } },
  },
  play: async () => {
    const text = '4,200 people erased. 13 people skipped, because an email to them was being sent.';
    await expect(await screen.findByText(text)).toBeVisible();
  },
};

/** The labels of one person, edited by keyboard. */
export const Labels: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    const record = within(await screen.findByRole('dialog', { name: PERSON }));
    await userEvent.type(await record.findByRole('combobox', { name: 'Add a label' }), 'VIP{Enter}');
    const labels = within(await record.findByRole('list', { name: 'Labels' }));
    await expect(labels.getByText('VIP')).toBeVisible();
    await userEvent.click(labels.getByRole('button', { name: 'Remove label VIP' }));
    await waitFor(() => expect(record.queryByRole('list', { name: 'Labels' })).toBeNull());
  },
};

/** The labels of selected people. */
export const LabelSelected: Story = {
  play: async ({ userEvent }) => {
    const [box] = await screen.findAllByRole('checkbox', { name: /^Select .+@/ });
    if (box) await userEvent.click(box);
    await userEvent.click(screen.getByRole('button', { name: 'Label…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Label 1 person' }));
    await userEvent.type(dialog.getByRole('combobox', { name: 'Label' }), 'VIP{Enter}');
    await expect(await screen.findByText('Labels of 1 person changed.')).toBeVisible();
    await expect((await screen.findAllByText('VIP'))[0]).toBeVisible();
  },
};
