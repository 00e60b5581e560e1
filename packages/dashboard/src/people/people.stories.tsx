import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, spyOn, waitFor, within } from 'storybook/test';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';
import { expectUncovered, openFilters, PERSON } from './people-stories.fixture.ts';

/** The list: search, filters, bulk actions and the CSV. */
const meta = {
  title: 'Dashboard/People',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=people' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;
type PlayContext = Parameters<NonNullable<Story['play']>>[0];

/** 3,000 people, newest first, with a summary of their states. */
export const List: Story = {
  play: async () => {
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    // The total includes the header; only a few rows are in the document.
    await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '3001'));
    await expect(screen.getAllByRole('row').length).toBeLessThan(80);
    // On a phone, the filters are above the list.
    const top = innerWidth < 768 ? 420 : 300;
    await expect(screen.getAllByRole('rowheader')[0]?.getBoundingClientRect().top).toBeLessThan(top);
    // People who unsubscribed or bounced do not count as on the list.
    const text =
      /^2,\d{3} people on the list: 2,\d{3} waiting, \d+ invited, \d+ joined. Also: \d+ unsubscribed, \d+ bounced.$/;
    await expect(screen.getAllByText(text)[0]).toBeVisible();
  },
};

/** A form with fields besides the address. */
export const Fields: Story = {
  args: { server: { hasFields: true } },
  play: async () => {
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    await expect(screen.getAllByText('Company: Studio Nord · How many people work there: Only me')[0]).toBeVisible();
  },
};

/** Short values are shown in full. Long ones end with an ellipsis; the record shows them in full. */
export const FieldsOnPhone: Story = {
  ...Fields,
  globals: { viewport: { value: 'phone', isRotated: false } },
  async play(context) {
    await Fields.play?.(context);
    const [values] = screen.getAllByText('Company: Studio Nord · How many people work there: Only me');
    await expect(values?.scrollWidth).toBeLessThanOrEqual(values?.clientWidth ?? 0);
    await expect(values?.scrollHeight).toBeLessThanOrEqual(values?.clientHeight ?? 0);
    await expect(screen.getByText(/W… · .*a…$/)).toBeVisible();
  },
};

/** The list on a small phone. */
export const SmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async () => {
    const toolbar = (await screen.findByRole('searchbox')).closest('search');
    const download = screen.getByRole('button', { name: 'Download CSV' });
    await expect(download.getBoundingClientRect().right).toBeLessThanOrEqual(
      toolbar?.getBoundingClientRect().right ?? 0,
    );
    await expect(download.scrollWidth).toBe(download.clientWidth);
    const since = (await screen.findAllByText('Bounced,'))[0]?.parentElement;
    await expect(since?.scrollWidth).toBe(since?.clientWidth);
    await expect(since?.lastElementChild?.getClientRects()).toHaveLength(1);
  },
};

/** A window of 1,280 x 1,024 at 400% zoom: header and navigation scroll with the page. */
export const Zoomed: Story = {
  parameters: {
    viewport: { options: { low: { name: 'Low', styles: { width: '320px', height: '256px' } } } },
  },
  globals: { viewport: { value: 'low', isRotated: false } },
  play: async () => {
    await screen.findByRole('button', { name: PERSON });
    await expect(innerHeight).toBe(256);
    const [header, navigation] = [screen.getByRole('banner'), screen.getByRole('navigation', { name: 'Pages' })];
    scrollTo({ top: 400 });
    await waitFor(() => expect(header.getBoundingClientRect().bottom).toBeLessThan(0));
    await expect(navigation.getBoundingClientRect().bottom).toBeLessThan(0);
    scrollTo({ top: 0 });
  },
};

/** The list is filtered while the admin types. */
export const Searching: Story = {
  play: async ({ userEvent }) => {
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search' }), 'AMARA.abebe7@');
    await waitFor(() => expect(screen.getAllByText('1 person matches')[0]).toBeInTheDocument());
    await expect(screen.getByRole('button', { name: PERSON })).toBeVisible();
  },
};

/** Nobody matches the search. One button clears it. */
export const NobodyMatches: Story = {
  args: { search: 'page=people&search=%25_%25' },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('No matches')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    await expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  },
};

/** Chooses a saved segment, adds a filter to it, saves that, renames it and deletes it. */
export const Segments: Story = {
  args: { server: { hasFields: true } },
  play: async ({ userEvent, step }) => {
    await openFilters(userEvent);
    const picker = await screen.findByRole('combobox', { name: 'Segment' });
    await userEvent.selectOptions(picker, 'Invited, but not joined');
    const filters = within(await screen.findByRole('list', { name: 'Filters' }));
    await expect(filters.getByText('Was invited 14 days ago or earlier, and has not joined')).toBeVisible();
    await step('Add a filter', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
      await expect(screen.getByRole('combobox', { name: 'Filter by' })).toHaveFocus();
      await userEvent.keyboard('{Escape}');
      await expect(screen.queryByRole('form', { name: 'Add a filter' })).toBeNull();
      await expect(screen.getByRole('button', { name: 'Add filter' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      const form = within(screen.getByRole('form', { name: 'Add a filter' }));
      await userEvent.selectOptions(form.getByRole('combobox', { name: 'Filter by' }), 'Company');
      await userEvent.type(form.getByRole('textbox', { name: 'Value' }), 'Studio Nord');
      await userEvent.click(form.getByRole('button', { name: 'Add' }));
      await expect(screen.getByRole('button', { name: 'Add filter' })).toHaveFocus();
      await expect(filters.getByText('Company: Studio Nord')).toBeVisible();
      await expect(picker).toHaveDisplayValue('Other filters');
    });
    await step('Save it', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save as segment…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Save as segment' }));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Bounced');
      await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Another segment has this name.'));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), ' at Studio Nord');
      await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(picker).toHaveDisplayValue('Bounced at Studio Nord'));
    });
    await step('Rename it', async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Rename…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Rename segment' }));
      await userEvent.clear(dialog.getByRole('textbox', { name: 'Name' }));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Studio Nord{Enter}');
      await waitFor(() => expect(picker).toHaveDisplayValue('Studio Nord'));
    });
    await step('Delete it', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Delete segment' }));
      await waitFor(() => expect(picker).toHaveDisplayValue('Other filters'));
    });
    await step('Remove the filters', async () => {
      await userEvent.click(filters.getByRole('button', { name: 'Remove: Company: Studio Nord' }));
      await waitFor(() => expect(picker).toHaveDisplayValue('Invited, but not joined'));
      await userEvent.selectOptions(picker, 'Everyone');
      await waitFor(() => expect(screen.queryByRole('list', { name: 'Filters' })).toBeNull());
    });
  },
};

/** One condition of each kind. Two refer to a campaign and a field that no longer exist. */
const CONDITIONS = {
  states: ['subscribed', 'invited'],
  campaign: 'launch-week',
  language: 'pt',
  from: '2026-03-01',
  zone: 'Asia/Tokyo',
  fields: { size: '2-10', removed: true },
  with_campaign: '2',
  without_campaign: '99',
  texts: [
    { of: 'source', test: 'part', values: ['Page'] },
    { of: 'fields.size', test: 'none', values: ['1', '2-10'] },
  ],
};

/** All kinds of conditions, including fields and campaigns that no longer exist. */
export const Conditions: Story = {
  args: {
    search: `page=people&${new URLSearchParams({ segment: JSON.stringify(CONDITIONS) })}`,
    server: { hasFields: true },
  },
  play: async ({ userEvent }) => {
    const filters = within(await screen.findByRole('list', { name: 'Filters' }));
    await expect(await filters.findByText('Was sent “Hello from Acme”')).toBeVisible();
    await expect(filters.getByText('Was not sent a campaign that no longer exists')).toBeVisible();
    await expect(filters.getByText('Removed (no longer a field of the form): any value')).toBeVisible();
    await expect(filters.getByText('How many people work there: 2 to 10')).toBeVisible();
    await expect(filters.getByText('How many people work there is none of Only me or 2 to 10')).toBeVisible();
    await expect(filters.getByText('Source contains “Page”')).toBeVisible();
    await openFilters(userEvent);
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
    await expect(screen.getByRole('form', { name: 'Add a filter' })).toBeVisible();
  },
};

/** People who did not come from a source, chosen by keyboard. */
export const OtherSources: Story = {
  play: async ({ userEvent }) => {
    await screen.findByRole('button', { name: PERSON });
    await openFilters(userEvent);
    await userEvent.click(await screen.findByRole('button', { name: 'Add filter' }));
    const form = within(screen.getByRole('form', { name: 'Add a filter' }));
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Filter by' }), 'Source');
    await userEvent.selectOptions(form.getByRole('combobox', { name: 'Test' }), 'Is not');
    await expect(form.getByRole('button', { name: 'Add' })).toBeDisabled();
    form.getByRole('checkbox', { name: 'landing_page' }).focus();
    await userEvent.keyboard(' ');
    await userEvent.click(form.getByRole('button', { name: 'Add' }));
    const filters = within(await screen.findByRole('list', { name: 'Filters' }));
    await expect(filters.getByText('Source is not landing_page')).toBeVisible();
    await expect((await screen.findAllByText(/^\d+ people match$/))[0]).toBeVisible();
  },
};

/** The first people are in sight, above the navigation. */
export const FilteredOnSmallPhone: Story = {
  args: { search: 'page=people&state=subscribed&mail=sent&source=landing_page&from=2026-01-01' },
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async () => {
    const filters = within(await screen.findByRole('list', { name: 'Filters' }));
    await expect(filters.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Is waiting',
      'Source is landing_page',
      'Signed up from 1 Jan 2026 (UTC)',
      'Last email is sent',
    ]);
    const [person] = await screen.findAllByRole('button', { name: /@/ });
    const { top } = screen.getByRole('navigation', { name: 'Pages' }).getBoundingClientRect();
    await expect(person?.getBoundingClientRect().bottom).toBeLessThan(top);
  },
};

/** Only some people were counted, so more may match. They can still be invited. */
export const CountedInPart: Story = {
  args: { search: 'page=people&state=subscribed', server: { isCountPartial: true } },
  play: async ({ userEvent }) => {
    await expect((await screen.findAllByText(/^At least [\d,]+ people match$/))[0]).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Invite…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite people' }));
    await expect(await dialog.findByText(/^At least [\d,]+ people are waiting\./)).toBeVisible();
    await expect(dialog.getByText('From 1 to 10,000.')).toBeVisible();
  },
};

/** Nobody can be searched for, so the page says how people come. */
export const Empty: Story = {
  args: { server: { isEmpty: true } },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('Nobody has signed up yet')).toBeVisible();
    await expect(screen.getByRole('link', { name: 'Import…' })).toHaveAttribute('href', '?page=import');
    await expect(screen.queryByRole('searchbox')).toBeNull();
    const copied = spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await userEvent.click(await screen.findByRole('button', { name: 'Copy signup link' }));
    await expect(copied).toHaveBeenCalledWith('https://acme.example/');
    await expect(await screen.findByText('Copied.')).toBeVisible();
  },
};

/** Column headings sort the list, by keyboard too. */
export const Sorting: Story = {
  play: async ({ userEvent }) => {
    const sorted = () =>
      screen
        .getAllByRole('columnheader')
        .filter((heading) => heading.hasAttribute('aria-sort'))
        .map((heading) => `${heading.textContent} ${heading.ariaSort}`);
    const first = () => screen.getAllByRole('rowheader')[0]?.textContent;
    await screen.findByRole('button', { name: PERSON });
    await expect(sorted()).toEqual(['Signed up descending']);
    const newest = first();
    screen.getByRole('button', { name: 'Signed up' }).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(sorted()).toEqual(['Signed up ascending']));
    await waitFor(() => expect(first()).not.toBe(newest));
    await userEvent.click(screen.getByRole('button', { name: 'Address' }));
    await waitFor(() => expect(sorted()).toEqual(['Address ascending']));
    await userEvent.click(screen.getByRole('button', { name: 'Address' }));
    await waitFor(() => expect(sorted()).toEqual(['Signed up descending']));
    await waitFor(() => expect(first()).toBe(newest));
  },
};

/** The list is loading. */
export const Loading: Story = { args: { server: { failures: { 'POST /admin/people/search': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'POST /admin/people/search': 'unreachable' } } } };

/** The dialog names the emails that are resent, and the people who get none. */
export const ResendSelected: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${PERSON}` }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select femi.abebe12@/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Send email again…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send 2 welcome emails again?' }));
    await expect(dialog.getByText(/arrive twice/)).toBeVisible();
  },
};

/** People who were wrongly rejected, for example because a relay permission had expired. */
export const Restored: Story = {
  args: { search: 'page=people&state=bounced' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Restore all \d+…$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Restore \d+ people\?$/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    await expect(await screen.findByText(/people restored\./)).toBeVisible();
    await expect(await screen.findByText('No matches')).toBeVisible();
  },
};

/** A wrong confirmation erases no one. The right one erases everyone selected and confirms it. */
export const ForgetSelected: Story = {
  play: async ({ userEvent, step }) => {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${PERSON}` }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select femi.abebe12@/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Erase…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Erase 2 people?' }));
    const field = dialog.getByRole('textbox');
    await waitFor(() => expect(field).toHaveFocus());
    await step('A wrong confirmation', async () => {
      await userEvent.type(field, 'erase 3{Enter}');
      await expect(await dialog.findByText(/Nobody was erased/)).toBeVisible();
      await expect(field).toHaveAttribute('aria-invalid', 'true');
    });
    await step('The right one', async () => {
      await userEvent.clear(field);
      await userEvent.type(field, 'erase 2{Enter}');
      await expect(await screen.findByText('2 people erased.')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('button', { name: PERSON })).toBeNull());
    });
  },
};

/** Many people are erased in several requests. */
export const ForgetMany: Story = {
  play: async ({ userEvent }) => {
    const boxes = await screen.findAllByRole('checkbox', { name: /^Select .+@/ });
    for (const box of boxes.slice(0, 12)) await userEvent.click(box);
    await userEvent.click(screen.getByRole('button', { name: 'Erase…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: /to confirm$/ }), 'erase 12{Enter}');
    await expect(await screen.findByText(/^1[0-2] people erased\./)).toBeVisible();
    await expect(shownServer().requests.filter((name) => name === 'POST /admin/people/forget')).toHaveLength(2);
  },
};

/** The dialog shows the number, so that an unintended filter is noticed. */
const askForDownload: (userEvent: PlayContext['userEvent']) => Promise<void> = async (userEvent) => {
  await waitFor(() => expect(screen.getByRole('button', { name: 'Download CSV' })).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  const question = within(await screen.findByRole('dialog', { name: 'Download 3,000 people?' }));
  await userEvent.click(question.getByRole('button', { name: 'Download' }));
};

/** The CSV was downloaded. */
export const DownloadCsv: Story = {
  play: async ({ userEvent }) => {
    await waitFor(() => expect(screen.getAllByText(/people on the list/)[0]).toBeInTheDocument());
    await askForDownload(userEvent);
    await expect(await screen.findByText('CSV downloaded.')).toBeVisible();
  },
};

/** On a tablet, messages are at the bottom, and everything can be scrolled clear of them. */
export const DownloadCsvOnTablet: Story = {
  ...DownloadCsv,
  globals: { viewport: { value: 'tablet', isRotated: false } },
  async play(context) {
    await DownloadCsv.play?.(context);
    const head = screen.getByRole('heading', { name: 'People' }).closest('main')?.firstElementChild;
    if (!(head instanceof HTMLElement)) throw new Error('the page has no head');
    await expectUncovered(head, screen.getByText('CSV downloaded.'));
  },
};

/** Even without colors, an icon and a border distinguish errors from other messages. */
export const DownloadFailed: Story = {
  args: { server: { failures: { 'POST /admin/people.csv': 500 } } },
  play: async ({ userEvent }) => {
    await waitFor(() => expect(screen.getAllByText(/people on the list/)[0]).toBeInTheDocument());
    await askForDownload(userEvent);
    const message = () => document.querySelector('[data-type="error"]') ?? document.body;
    await waitFor(() => expect(message()).toHaveTextContent('could not do this right now'));
    await expect(message().firstElementChild?.matches('svg')).toBe(true);
    const { borderInlineStartWidth, borderInlineEndWidth } = getComputedStyle(message());
    await expect(borderInlineStartWidth).not.toBe(borderInlineEndWidth);
  },
};

/** The CSV is being downloaded. */
export const Downloading: Story = {
  args: { server: { failures: { 'POST /admin/people.csv': 'pending' } } },
  play: async ({ userEvent }) => {
    await askForDownload(userEvent);
    await expect(await screen.findByRole('progressbar', { name: 'Download' })).toBeVisible();
    const { scrollWidth, clientWidth } = document.documentElement;
    await expect(scrollWidth).toBe(clientWidth);
  },
};

/** Someone who is added by hand confirms by email, unless the admin says that they have agreed. */
export const AddPerson: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a person' }));
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveFocus();
    await userEvent.type(dialog.getByRole('textbox', { name: 'Address' }), 'rosa@example.com');
    await userEvent.type(dialog.getByRole('textbox', { name: /^What they agreed to/ }), 'Asked me at the fair.');
    await expect(dialog.getByRole('combobox')).toHaveDisplayValue('Ask them by email');
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    const record = within(await screen.findByRole('dialog', { name: 'rosa@example.com' }));
    await expect(await record.findByText('Asked me at the fair.')).toBeVisible();
  },
};

/** The dialog to add a person on a small phone. */
export const AddPersonOnSmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a person' });
    await expect(dialog.scrollWidth).toBeLessThanOrEqual(dialog.clientWidth);
  },
};
