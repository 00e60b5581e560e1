import type { Meta, StoryObj } from '@storybook/react-vite';
import { DAY_MS } from 'early-access-kit/internal';
import type { MailState, MessageKind, TimelineEntry } from 'early-access-server/admin-api';
import { expect, screen, spyOn, waitFor, within } from 'storybook/test';
import { NOW } from '../testing/dashboard.fixture.ts';
import { DashboardStory, shownServer } from '../testing/dashboard-story.fixture.tsx';
import { chooseAction, expectUncovered, PERSON } from './people-stories.fixture.ts';

/** The record of one person and the actions on it. */
const meta = {
  title: 'Dashboard/Person',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=people' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;

/** Returns a timeline entry for an email. */
function email(
  daysAgo: number,
  kind: MessageKind,
  state: MailState,
  reason: string | null = null,
  subject: string | null = null,
): TimelineEntry[] {
  return [{ at: NOW - daysAgo * DAY_MS, event: 'email', by: null, email: { kind, state, reason, subject } }];
}

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

/** The URL opens the record of a person. */
export const OpenRecord: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async () => {
    await expect(await screen.findByText('Firefox on macOS, desktop')).toBeVisible();
  },
};

/** Another admin has erased the person since. */
export const RecordGone: Story = {
  args: { search: 'page=people&person=nobody' },
  play: async () => {
    await expect(await screen.findByText('This person is no longer on the list')).toBeVisible();
  },
};

/** An email failed, and the admin sends it again. */
export const ResendFailed: Story = {
  args: { search: 'page=people&person=person-5' },
  play: async ({ userEvent }) => {
    const record = within(await screen.findByRole('dialog'));
    // Once as the last email and once in the timeline.
    await expect(await record.findAllByText('550 5.1.1 mailbox unavailable (RCPT TO)')).toHaveLength(2);
    await userEvent.click(record.getByRole('button', { name: 'Send email again…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send 1 welcome email again?' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Send 1 email' }));
    await expect(await screen.findByText('1 email queued again.')).toBeVisible();
    await waitFor(() => expect(record.getAllByText('Queued')).toHaveLength(2));
  },
};

/** The message does not cover the record, and its buttons are large enough for a finger. */
export const ResentOnSmallPhone: Story = {
  ...ResendFailed,
  globals: { viewport: { value: 'small', isRotated: false } },
  async play(context) {
    await ResendFailed.play?.(context);
    const message = await screen.findByText('1 email queued again.');
    await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(2));
    const record = screen.getByRole('dialog', { name: /^keiko/ });
    await expectUncovered(record, message);
    for (const button of within(record).getAllByRole('button')) {
      const { width, height } = button.getBoundingClientRect();
      await expect(button.textContent === '' ? width : height).toBeGreaterThanOrEqual(40);
    }
  },
};

/** The person is being erased. */
export const Forgetting: Story = {
  args: { search: 'page=people&person=person-7', server: { failures: { 'POST /admin/people/forget': 'pending' } } },
  play: async ({ userEvent }) => {
    await chooseAction(userEvent, 'Erase this person…');
    await userEvent.type(await screen.findByRole('textbox', { name: `Type ${PERSON} to confirm` }), `${PERSON}{Enter}`);
    await expect(await screen.findByRole('progressbar', { name: 'People erased' })).toBeVisible();
  },
};

/** The session ends during an erasure. After signing in it continues, and nothing has to be typed again. */
export const SignedOutMeanwhile: Story = {
  args: {
    search: 'page=people&person=person-7',
  },
  play: async ({ userEvent, step }) => {
    await chooseAction(userEvent, 'Erase this person…');
    await userEvent.type(await screen.findByRole('textbox', { name: /to confirm$/ }), PERSON);
    shownServer().setSignedIn(false);
    await userEvent.click(screen.getByRole('button', { name: 'Erase permanently' }));
    const dialog = await screen.findByRole('dialog', { name: 'You have been signed out' });
    await step('Ask for a link, in place', async () => {
      await expect(within(dialog).getByRole('textbox')).toHaveValue('admin@acme.example');
      await userEvent.click(within(dialog).getByRole('button', { name: 'Send me a sign-in link' }));
      await expect(await within(dialog).findByText(/a link is on its way/)).toBeVisible();
    });
    await step('Another tab signs in', async () => {
      shownServer().setSignedIn(true);
      const tab = new BroadcastChannel('early-access-dashboard');
      tab.postMessage('signed-in');
      tab.close();
      await expect(await screen.findByText('1 person erased.')).toBeVisible();
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    });
  },
};

/** A person with every kind of event. The record fits on one printed page. */
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

/** The full record on a small phone. */
export const FullRecordOnSmallPhone: Story = {
  ...FullRecord,
  globals: { viewport: { value: 'small', isRotated: false } },
  async play(context) {
    await FullRecord.play?.(context);
    // The URL wraps after a slash, not within the host name.
    const [page] = within(screen.getByRole('dialog')).getAllByText('https://www.acme.example/');
    await expect(page?.querySelectorAll('wbr')).toHaveLength(3);
  },
};

/** A person who came through a share link and has referred others. */
export const ReferredAndReferring: Story = {
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
    const brought = within(record.getByRole('list', { name: 'Referrals' }));
    await expect(brought.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'new@example.comNot confirmeddoes not count',
      'grace@example.comWaitingcounts',
      'flood@example.comWaitingheld until an admin decides',
    ]);
  },
};

/** Only the record is printed. */
export const PrintRecord: Story = {
  ...FullRecord,
  play: async ({ userEvent }) => {
    const print = spyOn(window, 'print').mockImplementation(() => {});
    await chooseAction(userEvent, 'Print');
    await expect(print).toHaveBeenCalledOnce();
  },
};

/** The address changes once the owner of the new one confirms it. */
export const CorrectAddress: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Correct address…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Correct address' }));
    const field = dialog.getByRole('textbox', { name: 'New address' });
    await expect(field).toHaveFocus();
    await expect(field).toHaveValue(PERSON);
    await userEvent.clear(field);
    await userEvent.type(field, 'amara@example.com');
    await userEvent.click(dialog.getByRole('button', { name: 'Send email' }));
    await expect(await screen.findByText('amara@example.com, not confirmed yet')).toBeVisible();
    await expect(screen.getByRole('dialog', { name: PERSON })).toBeVisible();
    const button = screen.getByRole('button', { name: 'Correct address…' });
    await waitFor(() => expect(button).toHaveFocus());
    await expect(button.getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight);
  },
};

/** The server rejects the new address and says why. */
export const CorrectAddressRefused: Story = {
  args: {
    search: 'page=people&person=person-7',
    server: { failures: { 'POST /admin/people/person-7/correct': 409 } },
  },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Correct address…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Send email' }));
    await expect(await screen.findByRole('alert')).toHaveTextContent('The server said no.');
  },
};

/** Only the person can undo it. */
export const UnsubscribePerson: Story = {
  args: { search: 'page=people&person=person-7' },
  play: async ({ userEvent }) => {
    await chooseAction(userEvent, 'Unsubscribe…');
    const dialog = within(await screen.findByRole('dialog', { name: 'Unsubscribe this person?' }));
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.click(dialog.getByRole('button', { name: 'Unsubscribe' }));
    await expect(await screen.findByText('1 person unsubscribed.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Correct address…' })).toBeNull());
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }));
    await expect(screen.getByRole('button', { name: 'Erase this person…' })).toBeVisible();
    await expect(screen.queryByRole('button', { name: 'Unsubscribe…' })).toBeNull();
  },
};
