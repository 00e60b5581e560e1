import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fireEvent, screen, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

/** Importing a CSV: what the file holds, what will change, and the import itself. */
const meta = {
  title: 'Dashboard/Import',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=people' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

const CSV = new File(['email\nada@example.org\n'], 'people.csv', { type: 'text/csv' });

/** Opens the dialog and chooses a file. */
async function chooseFile({ userEvent }: Parameters<NonNullable<Story['play']>>[0]) {
  await userEvent.click(await screen.findByRole('button', { name: 'Import…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import people' }));
  await waitFor(() => expect(dialog.getByLabelText(/^CSV file/)).toHaveFocus());
  await userEvent.upload(dialog.getByLabelText(/^CSV file/), CSV);
  return dialog;
}

/** A preview is shown first, and nothing is stored. */
export const ImportChecked: Story = {
  play: async (context) => {
    const dialog = await chooseFile(context);
    await expect(await dialog.findByText('1,200 people will be added.')).toBeVisible();
    await expect(
      dialog.getByText(/14 on the list already, 2 repeated in the file, 2 lines with a problem/),
    ).toBeVisible();
    await expect(dialog.getByText('Waiting 1,190, Unsubscribed 10')).toBeVisible();
    await expect(dialog.getByText('fair 900, import 300')).toBeVisible();
    await expect(dialog.getByRole('region', { name: 'Lines with a problem' })).toHaveTextContent(
      'the date is in the future',
    );
    // A line at the end of the list says that there are more columns, until the last one is in sight.
    const columns = dialog.getByRole('region', { name: 'Columns' });
    const border = () => getComputedStyle(columns, '::after').borderBottomStyle;
    await waitFor(() => expect(border()).not.toBe('none'));
    columns.scrollTop = columns.scrollHeight;
    await waitFor(() => expect(border()).toBe('none'));
    columns.scrollTop = 0;
    await waitFor(() => expect(border()).not.toBe('none'));
  },
};

/** No number is broken, and the checkbox is beside its text. */
export const ImportCheckedOnSmallPhone: Story = {
  ...ImportChecked,
  globals: { viewport: { value: 'small', isRotated: false } },
  async play(context) {
    await ImportChecked.play?.(context);
    const measureText = (text: Node | null, start: number) => {
      if (!text) throw new Error('the element has no text');
      const range = document.createRange();
      range.setStart(text, start);
      range.setEndAfter(text);
      return range.getClientRects();
    };
    const states = 'Waiting 1,190, Unsubscribed 10';
    await expect(measureText(screen.getByText(states).firstChild, states.length - '10'.length)).toHaveLength(1);
    const box = screen.getByRole('checkbox', { name: 'Send them the welcome email' });
    const label = measureText(box.closest('label')?.lastChild ?? null, 0)[0];
    await expect(label?.left).toBeGreaterThan(box.getBoundingClientRect().right);
  },
};

/** Each column says what it is imported as, and the keyboard changes it. */
export const ImportColumnChosen: Story = {
  play: async (context) => {
    const dialog = await chooseFile(context);
    const column = await dialog.findByRole('combobox', { name: 'First Name, imported as' });
    await expect(column).toHaveDisplayValue('Ignored');
    await expect(dialog.getByRole('combobox', { name: 'Email Address, imported as' })).toHaveDisplayValue('Email');
    await expect(dialog.getByText(/^Columns that are not imported: First Name, Where we met you/)).toBeVisible();
    column.focus();
    await context.userEvent.selectOptions(column, 'company');
    await expect(column).toHaveDisplayValue('company');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
    await expect(column).toHaveFocus();
  },
};

/** The arrow keys pass many fields of a column; only the last one is worth a check of the whole file. */
export const ImportColumnPassedThrough: Story = {
  play: async (context) => {
    const dialog = await chooseFile(context);
    const column = await dialog.findByRole('combobox', { name: 'First Name, imported as' });
    for (const value of ['state', 'opt_in', 'created_at', 'source', 'fields.company']) {
      fireEvent.change(column, { target: { value } });
    }
    const checks = () => shownServer().requests.filter((request) => request.includes('column='));
    await waitFor(() => expect(checks().at(-1)).toContain('fields.company%3D2'));
    await expect(checks().length).toBeLessThan(3);
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
  },
};

export const ImportColumnChosenOnSmallPhone: Story = {
  ...ImportColumnChosen,
  globals: { viewport: { value: 'small', isRotated: false } },
};

/** No one can be imported until the admin has chosen the column of the addresses. */
export const ImportAsksForColumn: Story = {
  args: {
    server: { import: { report: { problem: 'no column has email addresses; choose the column that has them' } } },
  },
  play: async (context) => {
    const dialog = await chooseFile(context);
    await expect(await dialog.findByRole('alert')).toHaveTextContent('No column has email addresses;');
    await expect(dialog.getByRole('button', { name: 'Import 0 people' })).toBeDisabled();
    await context.userEvent.selectOptions(dialog.getByRole('combobox', { name: /^Where we met you/ }), 'Email');
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
    await expect(dialog.queryByRole('alert')).toBeNull();
  },
};

/** Dates that can be read two ways are not guessed. */
export const ImportAsksForDates: Story = {
  args: {
    server: {
      import: {
        report: {
          asks_date_order: true,
          problems: [
            {
              line: 2,
              result: 'problem',
              person: null,
              problem:
                'the date can be read two ways; choose whether the day or the month comes first, or write 2026-01-31',
            },
          ],
        },
      },
    },
  },
  play: async (context) => {
    const dialog = await chooseFile(context);
    const order = await dialog.findByLabelText(/^What is the date 3\/4\/2026\?/);
    await expect(dialog.getByRole('region', { name: 'Lines with a problem' })).toHaveTextContent('two ways');
    await context.userEvent.selectOptions(order, '3 April 2026 (day first)');
    await waitFor(() => expect(dialog.queryByRole('region', { name: 'Lines with a problem' })).toBeNull());
    await expect(order).toHaveDisplayValue('3 April 2026 (day first)');
  },
};

/** A file of opt-outs adds no one, and unsubscribes people on the list. */
export const ImportOfOptOuts: Story = {
  args: {
    server: {
      import: {
        report: {
          counts: { added: 0, unsubscribed: 3, 'on-list': 14, repeated: 0, problem: 0 },
          states: { pending: 0, subscribed: 0, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 },
          sources: [],
          problems: [],
          first: [],
        },
      },
    },
  },
  play: async (context) => {
    const dialog = await chooseFile(context);
    const text = '3 people will be unsubscribed. Skipped: 14 on the list already.';
    await expect(await dialog.findByRole('status')).toHaveTextContent(text);
    await expect(dialog.queryByRole('checkbox')).toBeNull();
    await expect(dialog.getByRole('button', { name: 'Unsubscribe 3 people' })).toBeEnabled();
  },
};

export const Imported: Story = {
  play: async (context) => {
    const dialog = await chooseFile(context);
    await context.userEvent.click(await dialog.findByRole('button', { name: 'Import 1,200 people' }));
    await expect(await dialog.findByText('1,200 people were added.')).toBeVisible();
    await context.userEvent.click(dialog.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
};

/** An import can be stopped, but not by a double click or by Esc, and continues if it is repeated. */
export const ImportStopped: Story = {
  args: { server: { import: { stopsAt: 500 } } },
  play: async (context) => {
    const dialog = await chooseFile(context);
    await expect(await dialog.findByRole('button', { name: 'Cancel' })).toBeVisible();
    await context.userEvent.dblClick(await dialog.findByRole('button', { name: 'Import 1,200 people' }));
    await context.userEvent.keyboard('{Escape}');
    await expect(await dialog.findByText('500 of 1,200, 500 added')).toBeVisible();
    await context.userEvent.click(dialog.getByRole('button', { name: 'Stop' }));
    await expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The import was stopped. Import the file again to continue.',
    );
    await expect(dialog.getByRole('button', { name: 'Import again' })).toBeVisible();
  },
};

export const ImportRefused: Story = {
  args: { server: { failures: { 'POST /admin/import': 400 } } },
  play: async (context) => {
    const dialog = await chooseFile(context);
    await expect(await dialog.findByRole('alert')).toHaveTextContent('The server said no.');
  },
};
