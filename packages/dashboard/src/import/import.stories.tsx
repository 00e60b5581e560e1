import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fireEvent, screen, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';

/** Importing a CSV: its contents, what has to be decided, what will change, and the import itself. */
const meta = {
  title: 'Dashboard/Import',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=import' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

const CSV = new File(['email\nada@example.org\n'], 'people.csv', { type: 'text/csv' });

async function chooseFile({ userEvent }: Parameters<NonNullable<Story['play']>>[0]) {
  await userEvent.upload(await screen.findByLabelText(/^CSV file/), CSV);
}

const card = async (name: string) => within(await screen.findByRole('region', { name }));

/** Earlier imports are listed. An import can be undone until an email to its people was sent. */
export const ImportStart: Story = {
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('fair-2026.csv')).toBeVisible();
    await expect(screen.getByText(/310 people added, 12 erased since/)).toBeVisible();
    await expect(screen.getByRole('link', { name: 'People' })).toHaveAttribute('aria-current', 'true');
    await userEvent.click(screen.getByRole('button', { name: 'Undo newsletter.csv…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo the import of “newsletter.csv”?' }));
    await expect(await dialog.findByText(/^298 people stay, because an email was sent or attempted/)).toBeVisible();
    await expect(dialog.queryByRole('button', { name: /Erase/ })).toBeNull();
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    await userEvent.click(screen.getByRole('link', { name: 'Show people of fair-2026.csv' }));
    await expect(await screen.findByText('Came with the import of “fair-2026.csv”')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Remove: came with the import of “fair-2026.csv”' }));
    await expect((await screen.findAllByText(/people on the list/))[0]).toBeVisible();
  },
};

/** A preview is shown first, and nothing is stored. */
export const ImportChecked: Story = {
  args: {
    server: {
      import: { report: { undated: 40, skipped: ['Exported by Acme CRM', 'Table 1'], encoding: 'Shift_JIS' } },
    },
  },
  play: async (context) => {
    await chooseFile(context);
    await expect(await screen.findByText('1,200 people will be added.')).toBeVisible();
    await expect(screen.getByRole('status')).toHaveTextContent(
      /14 already on the list, 2 repeated in the file, 2 lines with a problem/,
    );
    await expect(screen.getByText('Waiting 1,190, Unsubscribed 10')).toBeVisible();
    await expect(screen.getByText('fair 900, import 300')).toBeVisible();
    await expect(screen.getByText('40 people go to the end of the line')).toBeVisible();
    await expect(screen.getByText('Exported by Acme CRM')).toBeVisible();
    const problems = await card('Lines with a problem');
    await expect(
      problems.getByRole('row', { name: /^p917@example.org 917 2031-01-01.* the date is in the future/ }),
    ).toBeVisible();
    await context.userEvent.click(problems.getByRole('button', { name: 'Download all problems (CSV)' }));
    await waitFor(() => expect(shownServer().requests.at(-1)).toContain('problems=csv'));
  },
};

/** Nobody is imported until each value about consent has a meaning. */
export const ImportAsksAboutValues: Story = {
  args: {
    server: {
      import: {
        report: {
          problem: 'the column Status has values that are not understood; choose what each of them means',
          questions: [
            {
              column: 4,
              name: 'Status',
              values: [
                { value: 'inactive', people: 120, example: 'grace@example.org', meaning: null },
                {
                  value: 'unsub',
                  people: 3,
                  example: 'ada.lovelace@analytical-engine.example',
                  meaning: 'unsubscribed',
                },
              ],
              more: 0,
            },
          ],
        },
      },
    },
  },
  play: async (context) => {
    await chooseFile(context);
    await expect(await screen.findByRole('alert')).toHaveTextContent('The column Status has values');
    await expect(screen.getByRole('button', { name: 'Import' })).toBeDisabled();
    const questions = await card('What do these values mean?');
    await expect(questions.getByRole('row', { name: /^inactive 120 grace@example.org/ })).toBeVisible();
    const meaning = questions.getByRole('combobox', { name: 'Meaning of inactive in Status' });
    await expect(questions.getByRole('combobox', { name: 'Meaning of unsub in Status' })).toHaveDisplayValue(
      'Unsubscribed',
    );
    await context.userEvent.selectOptions(meaning, 'Ignore: subscribes 120 people');
    await expect(await screen.findByText(/^120 people will be subscribed because you ignore/)).toBeVisible();
    await context.userEvent.selectOptions(meaning, 'Leave out');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
    await expect(screen.queryByText(/^120 people will be subscribed/)).toBeNull();
    await expect(shownServer().requests.at(-1)).toContain('value=4%3Ainactive%3Dleave-out');
    await expect(meaning).toHaveFocus();
  },
};

/** Each column shows how it is imported, and can be changed by keyboard. */
export const ImportColumnChosen: Story = {
  play: async (context) => {
    await chooseFile(context);
    const column = await screen.findByRole('combobox', { name: 'First Name, imported as' });
    await expect(column).toHaveDisplayValue('Ignored');
    await expect(screen.getByText('Ada, Grace')).toBeVisible();
    await expect(screen.getByRole('combobox', { name: 'Email Address, imported as' })).toHaveDisplayValue('Email');
    await expect(screen.getByText(/^Not imported: First Name, Where we met you/)).toBeVisible();
    column.focus();
    await context.userEvent.selectOptions(column, 'company');
    await expect(column).toHaveDisplayValue('company');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
    await expect(column).toHaveFocus();
  },
};

/** Arrow keys pass through many options of a column. The file is only checked again for the last one. */
export const ImportColumnPassedThrough: Story = {
  play: async (context) => {
    await chooseFile(context);
    const column = await screen.findByRole('combobox', { name: 'First Name, imported as' });
    for (const value of ['state', 'opt_in', 'created_at', 'source', 'fields.company']) {
      fireEvent.change(column, { target: { value } });
    }
    const checks = () => shownServer().requests.filter((request) => request.includes('column='));
    await waitFor(() => expect(checks().at(-1)).toContain('fields.company%3D2'));
    await expect(checks().length).toBeLessThan(3);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
  },
};

/** No one can be imported until the admin has chosen the column of the addresses. */
export const ImportAsksForColumn: Story = {
  args: {
    server: { import: { report: { problem: 'no column has email addresses; choose the column that has them' } } },
  },
  play: async (context) => {
    await chooseFile(context);
    await expect(await screen.findByRole('alert')).toHaveTextContent('No column has email addresses;');
    await expect(screen.getByRole('button', { name: 'Import' })).toBeDisabled();
    await context.userEvent.selectOptions(screen.getByRole('combobox', { name: /^Where we met you/ }), 'Email');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Import 1,200 people' })).toBeEnabled());
    await expect(screen.queryByRole('alert')).toBeNull();
  },
};

/** Ambiguous dates are not guessed. */
export const ImportAsksForDates: Story = {
  args: {
    server: {
      import: {
        report: {
          asks_date_order: true,
          problems: [
            {
              ...{ line: 2, result: 'problem', person: null, address: 'ada@example.org' },
              ...{ column: 'OPTIN_TIME', value: '3/4/2026' },
              problem:
                'the date can be read two ways; choose whether the day or the month comes first, or write 2026-01-31',
            },
          ],
        },
      },
    },
  },
  play: async (context) => {
    await chooseFile(context);
    const order = await screen.findByLabelText(/^What is the date 3\/4\/2026\?/);
    await expect((await card('Lines with a problem')).getByText(/two ways/)).toBeVisible();
    await context.userEvent.selectOptions(order, '3 April 2026 (day first)');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Lines with a problem' })).toBeNull());
    await expect(order).toHaveDisplayValue('3 April 2026 (day first)');
  },
};

/** A file of opt-outs adds no one. It unsubscribes people who are on the list. */
export const ImportOfOptOuts: Story = {
  args: {
    server: {
      import: {
        report: {
          counts: { added: 0, unsubscribed: 3, 'on-list': 14, repeated: 0, 'left-out': 0, problem: 0 },
          states: { pending: 0, subscribed: 0, invited: 0, joined: 0, unsubscribed: 0, bounced: 0 },
          sources: [],
          problems: [],
          first: [],
        },
      },
    },
  },
  play: async (context) => {
    await chooseFile(context);
    const text = '3 people will be unsubscribed. Skipped: 14 already on the list.';
    await expect(await screen.findByText('3 people will be unsubscribed.')).toBeVisible();
    await expect(screen.getByRole('status')).toHaveTextContent(text);
    await expect(screen.queryByRole('checkbox')).toBeNull();
    await expect(screen.getByRole('button', { name: 'Unsubscribe 3 people' })).toBeEnabled();
  },
};

/** The people of an import can be listed, and the import can be undone. */
export const Imported: Story = {
  play: async (context) => {
    await chooseFile(context);
    await context.userEvent.click(await screen.findByRole('button', { name: 'Import 1,200 people' }));
    await expect(await screen.findByText('1,200 people were added.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Imported people.csv' })).toHaveFocus());
    await expect(screen.getByRole('link', { name: 'Show these people' })).toHaveAttribute(
      'href',
      expect.stringContaining('?page=people&import='),
    );
    await context.userEvent.click(screen.getByRole('button', { name: 'Undo this import…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Undo the import of “people.csv”?' }));
    await expect(await dialog.findByText(/^1,190 people are erased permanently.* 10 people stay/)).toBeVisible();
    await context.userEvent.click(dialog.getByRole('button', { name: 'Erase 1,190 people' }));
    await expect(await screen.findByText('1,190 people erased.')).toBeVisible();
    await expect(await screen.findByLabelText(/^CSV file/)).toBeEnabled();
    await expect(await screen.findByText(/1,200 people added, 1,190 erased since/)).toBeVisible();
  },
};

/** A double click does not stop an import. After "Stop", importing the file again continues it. */
export const ImportStopped: Story = {
  args: { server: { import: { stopsAt: 500 } } },
  play: async (context) => {
    await chooseFile(context);
    await context.userEvent.dblClick(await screen.findByRole('button', { name: 'Import 1,200 people' }));
    await expect(await screen.findByText('500 of 1,200, 500 added')).toBeVisible();
    await expect(screen.getByText('40% of 1,200 people done')).toHaveRole('status');
    await context.userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await expect(await screen.findByRole('alert')).toHaveTextContent(
      'Import stopped. Import the file again to continue.',
    );
    await expect(screen.getByRole('button', { name: 'Import again' })).toBeVisible();
  },
};

/** The server rejects the file and says why. */
export const ImportRefused: Story = {
  args: { server: { failures: { 'POST /admin/import': 400 } } },
  play: async (context) => {
    await chooseFile(context);
    await expect(await screen.findByRole('alert')).toHaveTextContent('The server said no.');
  },
};
