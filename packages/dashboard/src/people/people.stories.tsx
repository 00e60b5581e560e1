import type { Meta, StoryObj } from '@storybook/react-vite';
import { DAY_MS } from 'early-access-kit/core';
import type { MailState, MessageKind, TimelineEntry } from 'early-access-server/admin-api';
import { expect, fireEvent, screen, spyOn, waitFor, within } from 'storybook/test';
import { NOW } from '../testing/dashboard.fixture.ts';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';
import type { fakeApi } from '../testing/fake-api.fixture.ts';

/** Everyone on the list: search, records, bulk actions and the CSV. */
const meta = {
  title: 'Dashboard/People',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { search: 'page=people' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** The fake server of the story that is shown. */
let server: ReturnType<typeof fakeApi> | undefined;

/** An email of a timeline. */
function email(
  daysAgo: number,
  kind: MessageKind,
  state: MailState,
  reason: string | null = null,
  subject: string | null = null,
): TimelineEntry[] {
  return [{ at: NOW - daysAgo * DAY_MS, event: 'email', by: null, email: { kind, state, reason, subject } }];
}

const PERSON = 'amara.abebe7@mail.example';

export const List: Story = {
  play: async () => {
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    // 3,000 people and the header, few of them in the document.
    await waitFor(() => expect(screen.getByRole('table')).toHaveAttribute('aria-rowcount', '3001'));
    await expect(screen.getAllByRole('row').length).toBeLessThan(80);
  },
};

/** The form asks for more than the address. */
export const Fields: Story = {
  args: { server: { hasFields: true } },
  play: async () => {
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    await expect(screen.getAllByText('Company: Studio Nord · How many people work there: Only me')[0]).toBeVisible();
  },
};

/** Short values are whole. Long ones end with an ellipsis, and the record has all of them. */
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

/** Long and hostile values, a consent, and a field that is no longer declared. */
export const RecordWithFields: Story = {
  args: { search: 'page=people&person=person-7', server: { hasFields: true } },
  play: async () => {
    const record = await screen.findByRole('dialog', { name: PERSON });
    await expect(await within(record).findByText(/^"><img src=x/)).toBeVisible();
    await expect(within(record).getByText('2 to 10')).toBeVisible();
    await expect(within(record).getByText('old_field')).toBeVisible();
    await expect(document.querySelector('img[src=x]')).toBeNull();
    await expect(record.scrollWidth).toBeLessThanOrEqual(record.clientWidth);
  },
};

export const RecordWithFieldsOnPhone: Story = {
  ...RecordWithFields,
  globals: { viewport: { value: 'small', isRotated: false } },
};

export const Phone: Story = { globals: { viewport: { value: 'phone', isRotated: false } } };

export const SmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async () => {
    const toolbar = (await screen.findByRole('searchbox')).closest('search');
    const download = screen.getByRole('button', { name: 'Download CSV' });
    await expect(download.getBoundingClientRect().right).toBeLessThanOrEqual(
      toolbar?.getBoundingClientRect().right ?? 0,
    );
    await expect(download.scrollWidth).toBe(download.clientWidth);
    const since = (await screen.findAllByText('Bounced ·'))[0]?.parentElement;
    await expect(since?.scrollWidth).toBe(since?.clientWidth);
    await expect(since?.lastElementChild?.getClientRects()).toHaveLength(1);
  },
};

export const Searching: Story = {
  play: async ({ userEvent }) => {
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Search' }), 'AMARA.abebe7@');
    await waitFor(() => expect(screen.getAllByText('1 person matches')[0]).toBeInTheDocument());
    await expect(screen.getByRole('button', { name: PERSON })).toBeVisible();
  },
};

export const NobodyMatches: Story = {
  args: { search: 'page=people&search=%25_%25' },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('Nobody matches')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }));
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    await expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  },
};

export const Invited: Story = {
  args: { search: 'page=people&state=invited' },
  play: async () => {
    await expect(await screen.findByRole('button', { name: /^rosa.brandt6@/ })).toBeVisible();
  },
};

/** Chooses a saved segment, adds a filter to it, saves that, renames it and deletes it. */
export const Segments: Story = {
  args: { server: { hasFields: true } },
  play: async ({ userEvent, step }) => {
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
      await userEvent.type(form.getByRole('textbox', { name: 'Exact value' }), 'Studio Nord');
      await userEvent.click(form.getByRole('button', { name: 'Add' }));
      await expect(screen.getByRole('button', { name: 'Add filter' })).toHaveFocus();
      await expect(filters.getByText('Company: Studio Nord')).toBeVisible();
      await expect(picker).toHaveDisplayValue('Other filters');
    });
    await step('Save it', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save as segment…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Save as a segment' }));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Bounced');
      await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('Another segment has this name.'));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), ' at Studio Nord');
      await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(picker).toHaveDisplayValue('Bounced at Studio Nord'));
    });
    await step('Rename it', async () => {
      await userEvent.click(await screen.findByRole('button', { name: 'Rename…' }));
      const dialog = within(await screen.findByRole('dialog', { name: 'Rename the segment' }));
      await userEvent.clear(dialog.getByRole('textbox', { name: 'Name' }));
      await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Studio Nord{Enter}');
      await waitFor(() => expect(picker).toHaveDisplayValue('Studio Nord'));
    });
    await step('Delete it', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Delete…' }));
      await userEvent.click(await screen.findByRole('button', { name: 'Delete the segment' }));
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

/** Every kind of condition, with a campaign and a field that are gone. */
const CONDITIONS = {
  states: ['subscribed', 'invited'],
  campaign: 'launch-week',
  language: 'pt',
  from: '2026-03-01',
  zone: 'Asia/Tokyo',
  fields: { size: '2-10', removed: true },
  with_campaign: '2',
  without_campaign: '99',
};

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
    await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
    await expect(screen.getByRole('form', { name: 'Add a filter' })).toBeVisible();
  },
};

/** The filters are shown on request. */
export const ConditionsOnPhone: Story = {
  ...Conditions,
  globals: { viewport: { value: 'phone', isRotated: false } },
  async play(context) {
    await expect(await screen.findByText('8 filters')).toBeVisible();
    await context.userEvent.click(screen.getByRole('button', { name: 'Filters', expanded: false }));
    await Conditions.play?.(context);
  },
};

/** The first people are in sight, above the navigation. */
export const FilteredOnSmallPhone: Story = {
  args: { search: 'page=people&state=subscribed&mail=sent&source=landing_page&from=2026-01-01' },
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async () => {
    await expect(await screen.findByText('4 filters')).toBeVisible();
    const [person] = await screen.findAllByRole('button', { name: /@/ });
    const { top } = screen.getByRole('navigation', { name: 'Pages' }).getBoundingClientRect();
    await expect(person?.getBoundingClientRect().bottom).toBeLessThan(top);
  },
};

/** Firestore has none. */
export const WithoutSegments: Story = {
  args: { server: { hasSegments: false } },
  play: async () => {
    await expect(await screen.findByRole('button', { name: PERSON })).toBeVisible();
    await expect(screen.queryByRole('button', { name: 'Add filter' })).toBeNull();
  },
};

export const FailedMail: Story = { args: { search: 'page=people&mail=failed&sort=email' } };

export const Empty: Story = { args: { server: { isEmpty: true } } };

export const Loading: Story = { args: { server: { failures: { 'GET /admin/people': 'pending' } } } };

export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/people': 'unreachable' } } } };

/** Escape closes the record, and the focus returns to the list. */
export const PersonRecord: Story = {
  name: 'Record',
  play: async ({ userEvent, step }) => {
    const address = await screen.findByRole('button', { name: PERSON });
    address.focus();
    await userEvent.keyboard('{Enter}');
    const record = await screen.findByRole('dialog', { name: PERSON });
    await expect(await within(record).findByText('Firefox on macOS, desktop')).toBeVisible();
    await step('Escape closes it', async () => {
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      await waitFor(() => expect(screen.getByRole('button', { name: PERSON })).toHaveFocus());
    });
  },
};

export const OpenRecord: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async () => {
    await expect(await screen.findByText('Firefox on macOS, desktop')).toBeVisible();
  },
};

export const OpenRecordOnPhone: Story = {
  args: { search: 'page=people&person=person-7' },
  globals: { viewport: { value: 'phone', isRotated: false } },
};

/** Another admin erased the person meanwhile. */
export const RecordGone: Story = {
  args: { search: 'page=people&person=nobody' },
  play: async () => {
    await expect(await screen.findByText('This person is no longer on the list')).toBeVisible();
  },
};

export const ResendFailed: Story = {
  args: { search: 'page=people&person=person-5' },
  play: async ({ userEvent }) => {
    const record = within(await screen.findByRole('dialog'));
    // As the last email, and in the timeline.
    await expect(await record.findAllByText('550 5.1.1 mailbox unavailable (RCPT TO)')).toHaveLength(2);
    await userEvent.click(record.getByRole('button', { name: 'Send the email again…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send 1 welcome email again?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Send 1 email' }));
    await expect(await screen.findByText('1 email is queued again.')).toBeVisible();
    await waitFor(() => expect(record.getAllByText('Queued')).toHaveLength(2));
  },
};

/** Expects that everything in `element` can be read and pressed while the message is shown. */
async function expectUncovered(element: HTMLElement, message: HTMLElement) {
  const top = () => (message.closest('[data-type], [role="dialog"]') ?? message).getBoundingClientRect().top;
  const parts = within(element).getAllByRole('heading').concat(within(element).getAllByRole('button'));
  for (const part of parts) {
    part.scrollIntoView({ block: 'nearest' });
    await waitFor(() => expect(part.getBoundingClientRect().bottom).toBeLessThanOrEqual(top()));
  }
}

/** The message covers nothing of the record, whose buttons a finger can hit. */
export const ResentOnSmallPhone: Story = {
  ...ResendFailed,
  globals: { viewport: { value: 'small', isRotated: false } },
  async play(context) {
    await ResendFailed.play?.(context);
    const message = await screen.findByText('1 email is queued again.');
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2));
    const record = screen.getByRole('dialog', { name: /^keiko/ });
    await expectUncovered(record, message);
    for (const button of within(record).getAllByRole('button')) {
      const { width, height } = button.getBoundingClientRect();
      await expect(button.textContent === '' ? width : height).toBeGreaterThanOrEqual(40);
    }
  },
};

/** The dialog says which emails, and who gets none. */
export const ResendSelected: Story = {
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('checkbox', { name: `Select ${PERSON}` }));
    await userEvent.click(screen.getByRole('checkbox', { name: /^Select femi.abebe12@/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Send email again…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send 2 welcome emails again?' }));
    await expect(dialog.getByText(/arrive twice/)).toBeVisible();
  },
};

/** People who were refused wrongly, such as by an expired relay permission. */
export const Restored: Story = {
  args: { search: 'page=people&state=bounced' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: /^Restore all \d+…$/ }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Restore \d+ people\?$/ }));
    await userEvent.click(dialog.getByRole('button', { name: 'Restore' }));
    await expect(await screen.findByText(/people were restored\./)).toBeVisible();
    await expect(await screen.findByText('Nobody matches')).toBeVisible();
  },
};

export const Bounced: Story = { args: { search: 'page=people&state=bounced' } };

export const BouncedOnTablet: Story = { ...Bounced, globals: { viewport: { value: 'tablet', isRotated: false } } };

export const BouncedOnPhone: Story = { ...Bounced, globals: { viewport: { value: 'phone', isRotated: false } } };

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
      await expect(await screen.findByText('2 people were erased.')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('button', { name: PERSON })).toBeNull());
    });
  },
};

/** Many are erased in several requests. */
export const ForgetMany: Story = {
  args: {
    onServer: (created) => {
      server = created;
    },
  },
  play: async ({ userEvent }) => {
    const boxes = await screen.findAllByRole('checkbox', { name: /^Select .+@/ });
    for (const box of boxes.slice(0, 12)) await userEvent.click(box);
    await userEvent.click(screen.getByRole('button', { name: 'Erase…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: /to confirm$/ }), 'erase 12{Enter}');
    await expect(await screen.findByText(/^1[0-2] people were erased\./)).toBeVisible();
    await expect(server?.requests.filter((name) => name === 'POST /admin/people/forget')).toHaveLength(2);
  },
};

export const Forgetting: Story = {
  args: { search: 'page=people&person=person-7', server: { failures: { 'POST /admin/people/forget': 'pending' } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Erase this person…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: /to confirm$/ }), `${PERSON}{Enter}`);
    await expect(await screen.findByRole('progressbar', { name: 'People erased' })).toBeVisible();
  },
};

export const Confirmation: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Erase this person…' }));
    await expect(await screen.findByRole('dialog', { name: 'Erase 1 person?' })).toHaveTextContent(
      `Type ${PERSON} to confirm`,
    );
  },
};

/** The session ends while someone is erased: after signing in again it continues, and nothing has to be typed again. */
export const SignedOutMeanwhile: Story = {
  args: {
    search: 'page=people&person=person-7',
    onServer: (created) => {
      server = created;
    },
  },
  play: async ({ userEvent, step }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Erase this person…' }));
    await userEvent.type(await screen.findByRole('textbox', { name: /to confirm$/ }), PERSON);
    server?.setSignedIn(false);
    await userEvent.click(screen.getByRole('button', { name: 'Erase for good' }));
    const dialog = await screen.findByRole('dialog', { name: 'You have been signed out' });
    await step('Ask for a link, in place', async () => {
      await expect(within(dialog).getByRole('textbox')).toHaveValue('admin@acme.example');
      await userEvent.click(within(dialog).getByRole('button', { name: 'Send me a sign-in link' }));
      await expect(await within(dialog).findByText(/a link is on its way/)).toBeVisible();
    });
    await step('Another tab signs in', async () => {
      server?.setSignedIn(true);
      const tab = new BroadcastChannel('early-access-dashboard');
      tab.postMessage('signed-in');
      tab.close();
      await expect(await screen.findByText('1 person was erased.')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    });
  },
};

export const DownloadCsv: Story = {
  play: async ({ userEvent }) => {
    await waitFor(() => expect(screen.getAllByText('3,000 people on the list')[0]).toBeInTheDocument());
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
    await expect(await screen.findByText('The CSV is in your downloads.')).toBeVisible();
  },
};

/** Messages are at the bottom of a tablet, where nothing is covered that cannot be scrolled out of them. */
export const DownloadCsvOnTablet: Story = {
  ...DownloadCsv,
  globals: { viewport: { value: 'tablet', isRotated: false } },
  async play(context) {
    await DownloadCsv.play?.(context);
    const head = screen.getByRole('heading', { name: 'People' }).closest('main')?.firstElementChild;
    if (!(head instanceof HTMLElement)) throw new Error('the page has no head');
    await expectUncovered(head, screen.getByText('The CSV is in your downloads.'));
  },
};

/** Without colors, an icon and a border distinguish errors from other messages. */
export const DownloadFailed: Story = {
  args: { server: { failures: { 'GET /admin/people.csv': 500 } } },
  play: async ({ userEvent }) => {
    await waitFor(() => expect(screen.getAllByText('3,000 people on the list')[0]).toBeInTheDocument());
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
    const message = () => document.querySelector('[data-type="error"]') ?? document.body;
    await waitFor(() => expect(message()).toHaveTextContent('could not do this right now'));
    await expect(message().firstElementChild?.matches('svg')).toBe(true);
    const { borderInlineStartWidth, borderInlineEndWidth } = getComputedStyle(message());
    await expect(borderInlineStartWidth).not.toBe(borderInlineEndWidth);
  },
};

export const DownloadFailedOnSmallPhone: Story = {
  ...DownloadFailed,
  globals: { viewport: { value: 'small', isRotated: false } },
};

export const Downloading: Story = {
  args: { server: { failures: { 'GET /admin/people.csv': 'pending' } } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }));
    await expect(await screen.findByRole('progressbar', { name: 'Download' })).toBeVisible();
    const { scrollWidth, clientWidth } = document.documentElement;
    await expect(scrollWidth).toBe(clientWidth);
  },
};

export const DownloadingOnSmallPhone: Story = {
  ...Downloading,
  globals: { viewport: { value: 'small', isRotated: false } },
};

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
  args: {
    onServer: (created) => {
      server = created;
    },
  },
  play: async (context) => {
    const dialog = await chooseFile(context);
    const column = await dialog.findByRole('combobox', { name: 'First Name, imported as' });
    for (const value of ['state', 'opt_in', 'created_at', 'source', 'fields.company']) {
      fireEvent.change(column, { target: { value } });
    }
    const checks = () => server?.requests.filter((request) => request.includes('column=')) ?? [];
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

/** Someone who has been through everything, on one printed page. */
export const FullRecord: Story = {
  args: {
    search: 'page=people&person=person-20',
    server: {
      record: {
        state: 'joined',
        confirmed_at: NOW - 9 * DAY_MS,
        confirmed_by: 'reminder',
        invited_at: NOW - 5 * DAY_MS,
        joined_at: NOW - 4 * DAY_MS,
        timeline: [
          { at: NOW - 14 * DAY_MS, event: 'signup', by: null, email: null },
          ...email(13.9, 'confirmation', 'failed', '452 4.2.2 mailbox full'),
          ...email(11, 'reminder', 'sent'),
          { at: NOW - 9 * DAY_MS, event: 'confirm', by: 'reminder', email: null },
          { at: NOW - 5 * DAY_MS, event: 'invite', by: 'admin', email: null },
          ...email(4.9, 'invite', 'sent'),
          { at: NOW - 4 * DAY_MS, event: 'redeem', by: 'invite', email: null },
          { at: NOW - 2 * DAY_MS, event: 'ask-correction', by: 'admin', email: null },
          { at: NOW - 1.9 * DAY_MS, event: 'correct', by: 'correction', email: null },
          ...email(1, 'campaign', 'sent', null, 'We are open: here is what is new this week'),
        ],
      },
    },
  },
  play: async () => {
    const record = within(await screen.findByRole('dialog'));
    await expect(await record.findByText('Reminder to confirm')).toBeVisible();
    await expect(record.getByText('Confirmed the address with the link in the reminder to confirm')).toBeVisible();
    await expect(record.getByText(/^Email: “We are open/)).toBeVisible();
    await expect(record.getAllByRole('listitem')).toHaveLength(10);
  },
};

export const FullRecordOnSmallPhone: Story = {
  ...FullRecord,
  globals: { viewport: { value: 'small', isRotated: false } },
  async play(context) {
    await FullRecord.play?.(context);
    // It breaks at the slash, and not within the name of the host.
    const [page] = within(screen.getByRole('dialog')).getAllByText('https://www.acme.example/');
    await expect(page?.querySelectorAll('wbr')).toHaveLength(3);
  },
};

/** Someone who was brought by a share link, and has brought others. */
export const BroughtAndHasBrought: Story = {
  args: {
    search: 'page=people&person=person-20',
    server: {
      record: {
        referrals: 1,
        share: {
          brought_by: { id: 'person-1', email: 'ada@example.com', state: 'joined' },
          credit: 'counted',
          brought: [
            { id: 'person-2', email: 'new@example.com', state: 'pending', credit: null },
            { id: 'person-3', email: 'grace@example.com', state: 'subscribed', credit: 'counted' },
            { id: 'person-4', email: 'flood@example.com', state: 'subscribed', credit: 'held' },
          ],
        },
      },
    },
  },
  play: async () => {
    const record = within(await screen.findByRole('dialog'));
    await expect(await record.findByRole('link', { name: 'ada@example.com' })).toBeVisible();
    const brought = within(record.getByRole('list', { name: 'Has brought' }));
    await expect(brought.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'new@example.comNot confirmeddoes not count',
      'grace@example.comWaitingcounts',
      'flood@example.comWaitingheld until an admin decides',
    ]);
  },
};

/** Prints the record alone. */
export const PrintRecord: Story = {
  ...FullRecord,
  play: async ({ userEvent }) => {
    const print = spyOn(window, 'print').mockImplementation(() => {});
    await userEvent.click(await screen.findByRole('button', { name: 'Print' }));
    await expect(print).toHaveBeenCalledOnce();
  },
};

/** The address changes once the owner of the new one confirms it. */
export const CorrectAddress: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Correct the address…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct the address' }));
    const field = dialog.getByRole('textbox', { name: 'New address' });
    await expect(field).toHaveFocus();
    await expect(field).toHaveValue(PERSON);
    await userEvent.clear(field);
    await userEvent.type(field, 'amara@example.com');
    await userEvent.click(dialog.getByRole('button', { name: 'Send the email' }));
    await expect(await screen.findByText('amara@example.com, not confirmed yet')).toBeVisible();
    await expect(screen.getByRole('dialog', { name: PERSON })).toBeVisible();
    const button = screen.getByRole('button', { name: 'Correct the address…' });
    await waitFor(() => expect(button).toHaveFocus());
    await expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
  },
};

export const CorrectAddressRefused: Story = {
  args: {
    search: 'page=people&person=person-7',
    server: { failures: { 'POST /admin/people/person-7/correct': 409 } },
  },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Correct the address…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Send the email' }));
    await expect(await screen.findByRole('alert')).toHaveTextContent('The server said no.');
  },
};

/** Nobody but the person can undo it. */
export const UnsubscribePerson: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Unsubscribe…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsubscribe this person?' }));
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.click(dialog.getByRole('button', { name: 'Unsubscribe' }));
    await expect(await screen.findByText('1 person was unsubscribed.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Unsubscribe…' })).toBeNull());
    await expect(screen.queryByRole('button', { name: 'Correct the address…' })).toBeNull();
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

export const AddPersonOnSmallPhone: Story = {
  globals: { viewport: { value: 'small', isRotated: false } },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add a person' });
    await expect(dialog.scrollWidth).toBeLessThanOrEqual(dialog.clientWidth);
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
