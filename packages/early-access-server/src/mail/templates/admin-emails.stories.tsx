import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { DocumentFrame, shownDocument } from '../../../../../.storybook/document-frame.tsx';
import { defaultSignIn, defaultWeekly, noticeMail, testMail } from './admin-emails.ts';

const ACME = { name: 'Acme', url: 'https://www.acme.example/', host: 'www.acme.example' };
const SIGN_IN = { ...ACME, link: `https://www.acme.example/admin#token=${'x'.repeat(43)}`, minutes: 15 };
/** A light accent, which needs dark text on it. */
const COLORS = { accent: '#ffd400', background: '#eef4ee' };
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WEEKLY = {
  ...ACME,
  period: '9 – 15 March 2026',
  dashboardUrl: 'https://www.acme.example/admin',
  figures: [
    { label: 'Visitors', value: '1,234', change: '+12%' },
    { label: 'Sessions', value: '2,018', change: '+9%' },
    { label: 'Signups', value: '86', change: '−4%' },
    { label: 'Conversion', value: '7%', change: '±0%' },
    { label: 'Bounced sessions', value: '41.7%', change: '' },
    { label: 'Time per session', value: '34 s', change: '+2%' },
  ],
  dailySignups: [14, 9, 11, 23, 18, 7, 4].map((signups, index) => ({ label: DAYS[index] ?? '', signups })),
};

const NOTICE = { ...ACME, dashboardUrl: 'https://www.acme.example/admin' };
const SIGNUPS = { type: 'signups', signups: 12, since: Date.UTC(2026, 2, 16, 9) } as const;
const WEBHOOK = {
  type: 'webhook-disabled',
  endpoint: 'hooks.acme.example',
  reason: '503 Service Unavailable',
} as const;

/** The emails for admins of a host without its own templates, generated from its brand settings. */
const meta = {
  title: 'Emails/For admins',
  component: DocumentFrame,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { html: defaultSignIn(SIGN_IN).html },
} satisfies Meta<typeof DocumentFrame>;

export default meta;

type Story = StoryObj<typeof meta>;

export const SignIn: Story = {
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelector('h1')).toHaveTextContent('Your sign-in link');
  },
};

export const SignInDark: Story = {
  args: { html: defaultSignIn({ ...SIGN_IN, colors: COLORS }).html },
  globals: { theme: 'dark' },
};

export const Weekly: Story = {
  args: { html: defaultWeekly(WEEKLY).html },
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelector('h1')).toHaveTextContent('Your last week');
  },
};

export const WeeklyPhone: Story = { args: { html: defaultWeekly({ ...WEEKLY, colors: COLORS }).html, width: 320 } };

export const Test: Story = { args: { html: testMail(ACME).html } };

export const NewSignups: Story = { args: { html: noticeMail('en', NOTICE, SIGNUPS).html } };

export const NewSignupsArabicPhone: Story = { args: { html: noticeMail('ar', NOTICE, SIGNUPS).html, width: 390 } };

const PAUSED = { type: 'campaigns-paused', since: SIGNUPS.since, emails: 1_400, complaints: 7 } as const;

/** Says what happened, with the figures, and what to do. */
export const CampaignsPaused: Story = {
  args: { html: noticeMail('en', NOTICE, PAUSED).html },
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.body).toHaveTextContent(
      /7 of 1,400 emails from Acme were reported as spam \(0\.5%\)\. Above 0\.3%/,
    );
  },
};

export const CampaignsPausedArabicPhone: Story = { args: { html: noticeMail('ar', NOTICE, PAUSED).html, width: 390 } };

export const PasskeyAdded: Story = {
  args: { html: noticeMail('en', NOTICE, { type: 'passkey-added', since: SIGNUPS.since }).html },
};

export const WebhookDisabled: Story = {
  args: { html: noticeMail('en', { ...NOTICE, colors: COLORS }, WEBHOOK).html },
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelector('h1')).toHaveTextContent('A webhook was disabled');
  },
};

export const WebhookDisabledDark: Story = {
  args: { html: noticeMail('es', NOTICE, WEBHOOK).html },
  globals: { theme: 'dark' },
};
