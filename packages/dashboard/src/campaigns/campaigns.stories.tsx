import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, waitFor, within } from 'storybook/test';
import { NOW } from '../testing/dashboard.fixture.ts';
import { DashboardStory } from '../testing/dashboard-story.fixture.tsx';

/** Campaigns: writing, previewing and sending them, and their progress. */
const meta = {
  title: 'Dashboard/Campaigns',
  component: DashboardStory,
  parameters: { layout: 'fullscreen' },
  args: { search: 'page=campaigns' },
} satisfies Meta<typeof DashboardStory>;

export default meta;

type Story = StoryObj<typeof meta>;
type Play = Parameters<NonNullable<Story['play']>>[0];

const SMALL = { globals: { viewport: { value: 'small', isRotated: false } } } as const;

/** Returns the card of the campaign with this subject. */
const card = async (name: string) => within(await screen.findByRole('region', { name }));

/** Drafts and campaigns. One is being sent and shows its progress. */
export const List: Story = {
  play: async () => {
    const sending = await card('We launch on Tuesday');
    await expect(sending.getByRole('progressbar')).toBeVisible();
    await expect(sending.getByText('1,204 of 2,940 people, 12 failed, 1 unknown')).toBeVisible();
    await expect(sending.getByText(/^Sending at 160 an hour until .*:00 \(MAILS_PER_HOUR is 200\)\.$/)).toBeVisible();
  },
};

/** The campaigns on a small phone. */
export const ListOnSmallPhone: Story = { ...SMALL };

/** No campaigns have been written yet. */
export const Empty: Story = { args: { server: { isEmpty: true } } };

/** The campaigns are loading. */
export const Loading: Story = { args: { server: { failures: { 'GET /admin/campaigns': 'pending' } } } };

/** The server cannot be reached. The admin can try again. */
export const Unreachable: Story = { args: { server: { failures: { 'GET /admin/campaigns': 'unreachable' } } } };

/** No mail server is set, so drafts can be written but not sent. */
export const WithoutMailServer: Story = {
  args: { search: 'page=campaigns&campaign=1', server: { canSend: false } },
  play: async () => {
    await expect(await screen.findByText(/Emails are not sent/)).toBeVisible();
    await expect(await screen.findByRole('button', { name: /^Send to/ })).toBeDisabled();
  },
};

/** A campaign is paused while it is being sent, and then resumed. */
export const PauseAndResume: Story = {
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    await userEvent.click(sending.getByRole('button', { name: 'Pause' }));
    await userEvent.click(await sending.findByRole('button', { name: 'Resume' }));
    await expect(await sending.findByRole('button', { name: 'Pause' })).toBeVisible();
  },
};

/** A campaign is canceled with the keyboard alone. */
export const Cancel: Story = {
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    sending.getByRole('button', { name: 'Cancel…' }).focus();
    await userEvent.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel this campaign?' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Keep it' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(await sending.findByText('Canceled')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  },
};

/** A draft is deleted after a confirmation. */
export const DeleteDraft: Story = {
  play: async ({ userEvent }) => {
    const draft = await card('Without a subject');
    await userEvent.click(draft.getByRole('button', { name: 'Delete…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Delete draft' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Without a subject' })).toBeNull());
  },
};

/** Another admin changed the campaign after it was opened. */
export const ChangedMeanwhile: Story = {
  args: { server: { failures: { 'POST /admin/campaigns/4/state': 409 } } },
  play: async ({ userEvent }) => {
    const sending = await card('We launch on Tuesday');
    await userEvent.click(sending.getByRole('button', { name: 'Pause' }));
    await expect(await screen.findByText('The server said no.')).toBeVisible();
  },
};

/** A draft beside its preview, with the number of recipients and the time when sending will finish. */
export const Draft: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async () => {
    const preview = await screen.findByTitle('Preview: Email');
    // A narrow screen shows either the text or the preview.
    if (screen.queryByRole('group', { name: 'View' })) await expect(preview).not.toBeVisible();
    else await expect(preview).toBeVisible();
    await waitFor(() =>
      expect(
        screen.getByText(/^It goes to 240 people, at 160 an hour until .*:00 \(MAILS_PER_HOUR is 200\)\.$/),
      ).toBeVisible(),
    );
  },
};

/** This hour's part of the quota is used up, so the email waits for the next hour. */
export const QuotaUsedUp: Story = {
  args: { search: 'page=campaigns', server: { isQuotaSpent: true } },
  play: async () => {
    await expect(await screen.findByText('Continues at 11:00')).toBeVisible();
    await expect(screen.getByText(/^Campaigns have used up this hour’s quota of 160 emails\./)).toBeVisible();
    await expect(screen.queryByText('Sending')).toBeNull();
  },
};

/** The mail server rejects emails, so the queue is paused. */
export const MailPaused: Story = {
  args: { search: 'page=campaigns', server: { isMailPaused: true } },
  play: async () => {
    await expect(await screen.findByText(/^The mail server refuses your emails \(see Mail\)\./)).toBeVisible();
    await expect(screen.queryByText(/^Sending at/)).toBeNull();
  },
};

/** Too many people reported emails as spam. The admin can resume the campaign. */
export const PausedForComplaints: Story = {
  args: {
    search: 'page=campaigns',
    server: {
      draft: { state: 'paused', started_at: NOW - 7_200_000, people: 640, sent: 210, stopped_at: NOW - 3_600_000 },
    },
  },
  play: async ({ userEvent }) => {
    await expect(await screen.findByText(/because too many people reported your emails as spam/)).toBeVisible();
    const [resume] = await screen.findAllByRole('button', { name: 'Resume' });
    if (resume) await userEvent.click(resume);
    await waitFor(() => expect(screen.queryByText(/reported your emails as spam/)).toBeNull());
  },
};

/** At the mail quota, sending takes longer than a day. */
export const SlowSending: Story = {
  args: {
    search: 'page=campaigns&campaign=1',
    server: { draft: { audience: { states: ['subscribed', 'invited', 'joined'], source: null } } },
  },
  play: async () => {
    await expect(await screen.findByText(/^Sending takes about 2 days\. Raise MAILS_PER_HOUR/)).toBeVisible();
  },
};

/** A segment's conditions are copied, unless it selects people who receive no campaigns. */
export const Segment: Story = {
  args: { search: 'page=campaigns&campaign=1', server: { hasFields: true } },
  play: async ({ userEvent, step }) => {
    const picker = await screen.findByRole('combobox', { name: 'Segment' });
    await userEvent.selectOptions(picker, 'Bounced');
    await expect(await screen.findByRole('alert')).toHaveTextContent(
      '“Bounced” is for people who are bounced. They receive no campaigns.',
    );
    await step('Take the conditions of a segment', async () => {
      await userEvent.selectOptions(picker, 'Invited, but not joined');
      await expect(screen.queryByRole('alert')).toBeNull();
      await expect(picker).toHaveDisplayValue('Invited, but not joined');
      await waitFor(() => expect(screen.getByText(/^These filters exclude no one/)).toBeVisible());
    });
    await step('Add one that nobody meets', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Add filter' }));
      const form = within(screen.getByRole('form', { name: 'Add a filter' }));
      await userEvent.selectOptions(form.getByRole('combobox', { name: 'Filter by' }), 'Language');
      const languages = form.getByRole('group', { name: 'Values' });
      // Even beside the preview, the select must be wide enough for its options.
      await expect(languages.offsetWidth).toBeGreaterThan(150);
      await userEvent.click(within(languages).getByRole('checkbox', { name: 'Turkish' }));
      await userEvent.click(form.getByRole('button', { name: 'Add' }));
      await expect(
        await screen.findByText(/^No one matches\. Remove a filter to reach up to 2,940 people\./),
      ).toBeVisible();
      await expect(screen.getByRole('button', { name: /^Send to/ })).toBeDisabled();
      await expect(picker).toHaveDisplayValue('Other filters');
    });
  },
};

const WITH_FIELDS = {
  search: 'page=campaigns&campaign=1',
  server: { hasFields: true, draft: { subject: 'A place for {{fields.company}}', body: 'Hello ' } },
} as const;

/** Buttons insert fields at the cursor, in the subject or the text. */
export const Fields: Story = {
  args: WITH_FIELDS,
  play: async ({ userEvent }) => {
    const text = await screen.findByRole('textbox', { name: /^Text/ });
    await userEvent.click(screen.getByRole('button', { name: 'Company' }));
    await waitFor(() => expect(text).toHaveValue('Hello {{fields.company}}'));
    await userEvent.type(text, '!');
    await expect(text).toHaveValue('Hello {{fields.company}}!');
    const subject = screen.getByRole('textbox', { name: 'Subject' });
    await userEvent.type(subject, ', ', { initialSelectionStart: 0, initialSelectionEnd: 7 });
    await userEvent.click(screen.getByRole('button', { name: 'Your shop' }));
    await expect(subject).toHaveValue(', {{fields.shop}} for {{fields.company}}');
    await expect(subject).toHaveFocus();
    await expect(await screen.findByText('Saved')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Back to all campaigns' }));
    // The list names fields by their labels in the form.
    await expect(await screen.findByRole('heading', { name: ', [Your shop] for [Company]' })).toBeVisible();
  },
};

/** The email for a real person, and for someone who has only entered an address. */
export const PreviewForTwoPeople: Story = {
  args: WITH_FIELDS,
  play: async ({ userEvent }) => {
    await expect(await screen.findByText('A place for Studio Nord')).toBeVisible();
    await expect(screen.getByRole('button', { name: 'grace.hopper@example.org' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Someone with empty fields' }));
    await expect(await screen.findByText('A place for')).toBeVisible();
  },
};

/** On a small phone, the preview replaces the text. */
export const PreviewForTwoPeopleOnSmallPhone: Story = {
  ...PreviewForTwoPeople,
  ...SMALL,
  async play(context) {
    const subject = await screen.findByRole('textbox', { name: 'Subject' });
    await expect(await screen.findByTitle('Preview: Email')).not.toBeVisible();
    await context.userEvent.click(screen.getByRole('button', { name: 'Preview' }));
    await expect(subject).not.toBeVisible();
    await PreviewForTwoPeople.play?.(context);
  },
};

/** The text uses a field that does not exist, so the campaign cannot be sent. */
export const WrongPlaceholder: Story = {
  args: {
    search: 'page=campaigns&campaign=1',
    server: {
      ...WITH_FIELDS.server,
      campaignProblem: 'there is no {{fields.compny}}; did you mean {{fields.company}}?',
    },
  },
  play: async () => {
    await expect(await screen.findByRole('alert')).toHaveTextContent(
      'There is no {{fields.compny}}; did you mean {{fields.company}}?',
    );
    await expect(screen.queryByTitle('Preview: Email')).toBeNull();
    for (const name of [/^Send to/, 'Send me a test'])
      await expect(screen.getByRole('button', { name })).toBeDisabled();
  },
};

/** The email can be sent, but parts of it may not work for recipients. */
export const Warnings: Story = {
  args: {
    search: 'page=campaigns&campaign=1',
    server: {
      ...WITH_FIELDS.server,
      campaignWarnings: [
        'the email has 124 kB of HTML, and Gmail clips emails above 100 kB, which hides the unsubscribe link; shorten it',
        'the link “our shop” leads nowhere, because “www.acme.example/shop” is not an address; write https://www.acme.example/shop',
      ],
    },
  },
  play: async () => {
    await expect(await screen.findByText(/^The link “our shop” leads nowhere/)).toBeVisible();
    await expect(screen.getByText(/^The email has 124 kB of HTML/)).toBeVisible();
    await expect(screen.getByTitle('Preview: Email')).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Send me a test' })).toBeEnabled();
  },
};

/** On a small phone, the warnings are also shown with the text. */
export const WarningsOnSmallPhone: Story = {
  ...Warnings,
  ...SMALL,
  async play(context) {
    await expect(await screen.findByText(/^The link “our shop” leads nowhere/)).toBeVisible();
    await expect(screen.getByRole('textbox', { name: 'Subject' })).toBeVisible();
    await context.userEvent.click(screen.getByRole('button', { name: 'Preview' }));
    await expect(screen.getByTitle('Preview: Email')).toBeVisible();
    await expect(screen.getByText(/^The link “our shop” leads nowhere/)).toBeVisible();
  },
};

/** Another tab has stored a different text since. */
export const ChangedInAnotherTab: Story = {
  args: { search: 'page=campaigns&campaign=1', server: { failures: { 'POST /admin/campaigns/1': 409 } } },
  play: async ({ userEvent, step }) => {
    await userEvent.type(await screen.findByRole('textbox', { name: 'Subject' }), '!');
    await expect(await screen.findByRole('alert')).toHaveTextContent(/^Not saved:/);
    await expect(screen.getByRole('button', { name: 'Discard my text' })).toBeVisible();
    await step('Keep the text', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save my text as a new draft' }));
      await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
      await expect(screen.getByRole('textbox', { name: 'Subject' })).toHaveValue('Acme is open: here is your access!');
    });
  },
};

/** The preview on a phone, in dark mode and as plain text. */
export const Previews: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async ({ userEvent }) => {
    for (const name of ['Phone', 'Dark', 'Text']) {
      await userEvent.click(await screen.findByRole('button', { name }));
      await expect(await screen.findByTitle(`Preview: ${name}`)).toBeVisible();
      await expect(screen.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');
    }
  },
};

async function writeEmail({ userEvent }: Play): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'Create campaign' }));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Subject' }), 'Hello');
  await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), 'We are **live**.');
}

/** What was sent can be read, and is the start of a new draft. */
export const Read: Story = {
  play: async ({ userEvent, step }) => {
    await userEvent.click((await card('Hello from Acme')).getByRole('button', { name: 'Read' }));
    const email = await card('Hello from Acme');
    await expect(email.getByRole('region', { name: 'Text' })).toHaveTextContent('Thank you for waiting.');
    await expect(email.getByText('people who are waiting or invited, from landing_page')).toBeVisible();
    await expect(await screen.findByTitle('Preview: Email')).toBeVisible();
    await step('Duplicate it', async () => {
      await userEvent.click(email.getByRole('button', { name: 'Duplicate' }));
      await expect(await screen.findByRole('textbox', { name: 'Subject' })).toHaveValue('Hello from Acme');
    });
  },
};

/** It is unknown whether some emails arrived: the admin decides about each of them. */
export const Unknown: Story = {
  args: { search: 'page=campaigns&campaign=4' },
  play: async ({ userEvent }) => {
    const decide = await screen.findByRole('button', { name: 'Resolve delivery to grace.hopper@example.org…' });
    decide.focus();
    await userEvent.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Was it sent to grace.hopper@example.org?' }));
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Decide later' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(await screen.findByText('Marked as sent to grace.hopper@example.org.')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Resolve delivery to/ })).toBeNull());
  },
};

/** The emails after signing up, with how many people wait for each. */
export const Series: Story = {
  play: async ({ userEvent, step }) => {
    const series = await card('After signing up');
    await expect(
      await series.findByRole('row', {
        name: /^Three things to try first 3 days after they sign up On 30 408 4 2 31/,
      }),
    ).toBeVisible();
    await expect(series.getByText('7 days after “Three things to try first”')).toBeVisible();
    await step('Read one that is on', async () => {
      await userEvent.click(series.getByRole('button', { name: 'Read “How others use Acme”' }));
      await expect(await screen.findByText('7 days after “Three things to try first”')).toBeVisible();
      await userEvent.click(screen.getByRole('button', { name: 'Back to all campaigns' }));
    });
    await step('Pause them', async () => {
      await userEvent.click(await (await card('After signing up')).findByRole('button', { name: 'Pause' }));
      await expect(await screen.findByText('Series paused.')).toBeVisible();
      await expect((await screen.findAllByText('12 are late'))[0]).toBeVisible();
    });
  },
};

/** An editor can write emails of the series but not turn them on. */
export const SeriesOfEditor: Story = {
  args: { server: { role: 'editor' } },
  play: async () => {
    const series = await card('After signing up');
    await expect(await series.findByRole('button', { name: 'Edit “Welcome in”' })).toBeVisible();
    await expect(series.getByRole('button', { name: 'Add an email…' })).toBeVisible();
    await expect(series.queryByRole('button', { name: /^(Turn on|Pause|End|Delete)/ })).toBeNull();
  },
};

/** The series is turned on with the keyboard alone. The question says who gets which email. */
export const SeriesTurnedOn: Story = {
  play: async ({ userEvent }) => {
    const series = await card('After signing up');
    (await series.findByRole('button', { name: 'Turn on…' })).focus();
    await userEvent.keyboard('{Enter}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Turn on the series?' }));
    await expect(dialog.getByText(/No one gets emails for earlier signups, invitations or joins\./)).toBeVisible();
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(await screen.findByText('Series turned on.')).toBeVisible();
  },
};

/** One of the emails cannot be sent, so none is turned on. */
export const SeriesRefused: Story = {
  args: { server: { failures: { 'POST /admin/campaigns/series/state': 400 } } },
  play: async ({ userEvent }) => {
    const series = await card('After signing up');
    await userEvent.click(await series.findByRole('button', { name: 'Turn on…' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Turn on' }));
    await expect(await screen.findByText('The server said no.')).toBeVisible();
  },
};

/** An email of the series is written, previewed and tested like a campaign. */
export const SeriesEmail: Story = {
  play: async ({ userEvent, step }) => {
    await userEvent.click(await (await card('After signing up')).findByRole('button', { name: 'Add an email…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add an email' }));
    await userEvent.clear(dialog.getByRole('spinbutton', { name: 'Days' }));
    await userEvent.type(dialog.getByRole('spinbutton', { name: 'Days' }), '5');
    await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'After' }), 'they got “How others use Acme”');
    await userEvent.click(dialog.getByRole('button', { name: 'Write email' }));
    await expect(await screen.findByText(/get it 5 days after “How others use Acme”\.$/)).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Send me a test' })).toBeVisible();
    await expect(screen.queryByRole('button', { name: /^Send to/ })).toBeNull();
    await step('Change when', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Change timing…' }));
      const changed = within(await screen.findByRole('dialog', { name: 'When people get it' }));
      await userEvent.clear(changed.getByRole('spinbutton', { name: 'Days' }));
      await userEvent.type(changed.getByRole('spinbutton', { name: 'Days' }), '1');
      await userEvent.click(changed.getByRole('button', { name: 'Save' }));
      await expect(await screen.findByText(/get it 1 day after “How others use Acme”\.$/)).toBeVisible();
    });
  },
};

/** The dialog while a time is chosen. */
export const ChooseTime: Story = {
  args: { search: 'page=campaigns&campaign=1' },
  play: async ({ userEvent }) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Send to 240 people…' }));
    await expect(await screen.findByRole('button', { name: 'Cancel' })).toHaveFocus();
    await userEvent.click(screen.getByRole('radio', { name: 'Later' }));
    await expect(screen.getByLabelText(/^Date and time/)).toHaveAccessibleDescription(
      'Time zone: UTC. Change it under Settings.',
    );
  },
};

/** Choosing a time on a small phone. */
export const ChooseTimeOnSmallPhone: Story = { ...ChooseTime, ...SMALL };

/** Campaigns that are scheduled, and one that started late. */
export const Scheduled: Story = {
  play: async () => {
    const scheduled = await card('The doors open on Monday');
    await expect(scheduled.getByText(/^for 26 Nov 2026, 15:42 \(Europe\/Berlin\), to people/)).toBeVisible();
    const followUp = await card('Did our invitation reach you?');
    await expect(
      followUp.getByText(
        /^for .* \(UTC\), to people who got “Hello from Acme”, were invited, and have not joined 14 days later$/,
      ),
    ).toBeVisible();
    const late = await card('Hello from Acme');
    await expect(late.getByText(/, 3h 00m late, to people/)).toBeVisible();
  },
};

/** A follow-up for a campaign: a draft that starts some days later. */
export const FollowUp: Story = {
  play: async ({ userEvent, step }) => {
    const sending = await card('We launch on Tuesday');
    await expect((await card('Hello from Acme')).queryByRole('button', { name: 'Follow up…' })).toBeNull();
    await userEvent.click(sending.getByRole('button', { name: 'Follow up…' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Follow up on “We launch on Tuesday”' }));
    const days = dialog.getByRole('spinbutton', { name: 'Days after the last email' });
    await userEvent.clear(days);
    await userEvent.type(days, '10');
    await userEvent.click(dialog.getByRole('button', { name: 'Write email' }));
    await expect(
      await screen.findByText(/“We launch on Tuesday”, were invited, and have not joined 10 days/),
    ).toBeVisible();
    await step('Change the days', async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Change days…' }));
      const changed = await screen.findByRole('spinbutton');
      await userEvent.clear(changed);
      await userEvent.type(changed, '1');
      await userEvent.click(screen.getByRole('button', { name: 'Save' }));
      await expect(await screen.findByText(/have not joined 1 day later/)).toBeVisible();
    });
    await step('Schedule it', async () => {
      await userEvent.type(screen.getByRole('textbox', { name: 'Subject' }), 'Still there?');
      await userEvent.type(screen.getByRole('textbox', { name: /^Text/ }), 'Your place waits.');
      await userEvent.click(screen.getByRole('button', { name: 'Schedule…' }));
      const send = within(await screen.findByRole('dialog', { name: 'Schedule “Still there?”?' }));
      await userEvent.click(send.getByRole('button', { name: 'Schedule' }));
      const scheduled = await card('Still there?');
      await expect(scheduled.getByText(/^for 1 day after “We launch on Tuesday” was sent/)).toBeVisible();
    });
  },
};

/** The results of each campaign that was started. */
export const Results: Story = {
  play: async () => {
    const table = within(await screen.findByRole('table'));
    await expect(
      table.getByRole('row', { name: /^Hello from Acme .* 377 3 6 ?1\.6% 1 ?0\.3% 112 ?29\.7%$/ }),
    ).toBeVisible();
    await expect(table.getAllByRole('row')).toHaveLength(5);
  },
};

/** The draft could not be saved. Its text stays in the form. */
export const NotSaved: Story = {
  args: { server: { failures: { 'POST /admin/campaigns': 'unreachable' } } },
  play: async (context) => {
    await writeEmail(context);
    await expect(await screen.findByRole('alert')).toHaveTextContent(/^Not saved:/);
    await expect(screen.getByRole('textbox', { name: 'Subject' })).toHaveValue('Hello');
  },
};
