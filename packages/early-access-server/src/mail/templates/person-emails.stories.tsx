import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect } from 'storybook/test';
import { DocumentFrame, shownDocument } from '../../../../../.storybook/document-frame.tsx';
import type { Language } from '../../app/brand/language.ts';
import { campaignTemplate, defaultTemplates } from './default-templates.ts';

const DATA = {
  name: 'Acme',
  url: 'https://www.acme.example/',
  host: 'www.acme.example',
  unsubscribeUrl: `https://www.acme.example/unsubscribe?token=${'x'.repeat(43)}`,
  fields: {},
  link: `https://www.acme.example/confirm#token=${'x'.repeat(43)}`,
  days: 7,
};
/** A light accent, which needs dark text on it. */
const FERNWOOD = { ...DATA, name: 'Fernwood Ceramics', colors: { accent: '#ffd400', background: '#eef4ee' } };
const LONG = {
  ...FERNWOOD,
  name: 'The Association of Independent Fernwood Ceramics and Stoneware Workshops',
  host: 'early-access.fernwood-ceramics-and-stoneware.example/workshops/list',
};

const LAUNCH = `# We are open

Dear friends, **the wait is over**: from today [everyone can join](https://www.acme.example/open).

## What is new

- Prices in *any* currency
- A new page for [your team](https://www.acme.example/team), with a very long address: https://www.acme.example/a/very/long/address/that/has/no/place/to/break

1. Open the page
2. Sign up

> “It saved me four hours.”

---

| Plan | Price |
| ---- | ----: |
| Solo | 7     |
| Team | 21    |

Use the code \`EARLY\`, or run:

\`\`\`
npm create acme@latest -- --template early-access --name a-name-that-is-long
\`\`\`

See you soon!`;

const LAUNCH_AR = `# أبوابنا مفتوحة

انتهى الانتظار: **من اليوم** يمكن [للجميع الانضمام](https://www.acme.example/open).

- أسعار بأي عملة
- صفحة جديدة لفريقك

> وفّر عليّ أربع ساعات.`;

function campaign(language: Language, body: string, data = DATA): string {
  return campaignTemplate(language, data, { subject: 'Acme is open', body })(data, language).html;
}

/** The emails to people of a host without its own templates, in each language. */
const meta = {
  title: 'Emails/For people',
  component: DocumentFrame,
  parameters: { layout: 'fullscreen' },
  tags: ['!autodocs'],
  args: { html: defaultTemplates('en').confirmation(DATA).html },
  play: async ({ canvasElement }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelectorAll('h1')).toHaveLength(1);
    await expect(email.querySelector(`a[href="${DATA.unsubscribeUrl}"]`)).toBeVisible();
  },
} satisfies Meta<typeof DocumentFrame>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Confirmation: Story = {};
export const ConfirmationSpanish: Story = { args: { html: defaultTemplates('es').confirmation(DATA).html } };
export const ConfirmationArabic: Story = { args: { html: defaultTemplates('ar').confirmation(DATA).html } };
export const ConfirmationLongName: Story = {
  args: { html: defaultTemplates('en').confirmation(LONG).html, width: 320 },
};

export const Reminder: Story = { args: { html: defaultTemplates('en').reminder(FERNWOOD).html } };
export const ReminderArabicPhone: Story = { args: { html: defaultTemplates('ar').reminder(DATA).html, width: 390 } };

export const Invite: Story = { args: { html: defaultTemplates('en').invite(DATA).html } };
export const InvitePhone: Story = { args: { html: defaultTemplates('en').invite(LONG).html, width: 320 } };
export const InviteSpanish: Story = { args: { html: defaultTemplates('es').invite(DATA).html } };
export const InviteArabicDark: Story = {
  args: { html: defaultTemplates('ar').invite(FERNWOOD).html },
  globals: { theme: 'dark' },
};

const STATUS = { ...DATA, statusUrl: `https://www.acme.example/status#token=${'x'.repeat(43)}` };
export const StatusLink: Story = { args: { html: defaultTemplates('en').status(STATUS).html } };
export const StatusLinkArabicPhone: Story = { args: { html: defaultTemplates('ar').status(STATUS).html, width: 390 } };

export const WelcomeArabic: Story = { args: { html: defaultTemplates('ar').welcome(DATA).html } };
export const WelcomeSpanishPhone: Story = { args: { html: defaultTemplates('es').welcome(DATA).html, width: 390 } };

export const Campaign: Story = { args: { html: campaign('en', LAUNCH) } };
export const CampaignPhone: Story = { args: { html: campaign('en', LAUNCH, LONG), width: 320 } };
export const CampaignSecondBrandDark: Story = {
  args: { html: campaign('en', LAUNCH, FERNWOOD) },
  globals: { theme: 'dark' },
};
export const CampaignArabic: Story = { args: { html: campaign('ar', LAUNCH_AR) } };
