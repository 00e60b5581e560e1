import brands from 'virtual:brands';
import type { Meta } from '@storybook/react-vite';
import { mustacheTemplate } from 'early-access-server/mail';
import { expect } from 'storybook/test';
import { findLanguage, type Language } from '../packages/early-access-server/src/app/brand/language.ts';
import {
  defaultSignIn,
  defaultWeekly,
  noticeMail,
  testMail,
} from '../packages/early-access-server/src/mail/templates/admin-emails.ts';
import {
  campaignTemplate,
  defaultTemplates,
  withWords,
} from '../packages/early-access-server/src/mail/templates/default-templates.ts';
import type {
  LinkData,
  MailTemplate,
  StatusData,
} from '../packages/early-access-server/src/mail/templates/template.ts';
import frame from '../site/mails/frame.html?raw';
import welcomeHtml from '../site/mails/welcome.html?raw';
import { DocumentFrame, shownDocument } from './document-frame.tsx';

const TOKEN = 'x'.repeat(43);
const LONG = {
  name: 'The Association of Independent Fernwood Ceramics and Stoneware Workshops',
  host: 'early-access.fernwood-ceramics-and-stoneware.example/workshops/list',
};
const FIGURES = [
  { label: 'Visitors', value: '1,234', change: '+12%' },
  { label: 'Sessions', value: '2,018', change: '+9%' },
  { label: 'Signups', value: '86', change: '−4%' },
  { label: 'Conversion', value: '7%', change: '±0%' },
  { label: 'Bounced sessions', value: '41.7%', change: '' },
  { label: 'Time per session', value: '34 s', change: '+2%' },
];
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const WEEK = {
  period: '9 – 15 March 2026',
  figures: FIGURES,
  dailySignups: [14, 9, 11, 23, 18, 7, 4].map((signups, index) => ({ label: DAYS[index] ?? '', signups })),
};
const SINCE = Date.UTC(2026, 2, 16, 9);
const SIGNUPS = { type: 'signups', signups: 12, since: SINCE } as const;
const PAUSED = { type: 'campaigns-paused', since: SINCE, emails: 1_400, complaints: 7 } as const;
const PASSKEY = { type: 'passkey-added', since: SINCE } as const;
const WEBHOOK = {
  type: 'webhook-disabled',
  endpoint: 'hooks.acme.example',
  reason: '503 Service Unavailable',
} as const;

/** Stories only show the HTML. */
const own = (html: string) => ({ subject: 'Subject', text: '', html });

/** PrintMargin's own emails, in `site/mails`. */
const PRINTMARGIN: Readonly<Partial<Record<string, MailTemplate<PersonData>>>> = {
  welcome: mustacheTemplate(own(welcomeHtml)),
  confirmation: mustacheTemplate(own(frame), 'confirmation'),
  reminder: mustacheTemplate(own(frame), 'reminder'),
  invite: mustacheTemplate(own(frame), 'invite'),
};

type PersonData = LinkData & StatusData;

interface Shown {
  readonly language: Language;
  readonly brand: string;
  readonly hasLongName: boolean;
  readonly campaign: string;
}

const personal = (name: 'welcome' | 'confirmation' | 'reminder' | 'invite' | 'status') => (shown: Shown) => {
  const { language, brand } = shown;
  const template = withWords(language, name, brand === 'printmargin' ? PRINTMARGIN[name] : undefined);
  return (template ?? defaultTemplates(language)[name])(personData(shown)).html;
};

const EMAILS = {
  welcome: personal('welcome'),
  confirmation: personal('confirmation'),
  reminder: personal('reminder'),
  invite: personal('invite'),
  status: personal('status'),
  campaign: (shown: Shown) => {
    const data = personData(shown);
    return campaignTemplate(shown.language, data, { subject: 'We are open', body: shown.campaign })(
      data,
      shown.language,
    ).html;
  },
  signIn: (shown: Shown) =>
    defaultSignIn({ ...adminData(shown), link: `${brandOf(shown).url}admin#token=${TOKEN}`, minutes: 15 }).html,
  weekly: (shown: Shown) => defaultWeekly({ ...adminData(shown), ...WEEK }).html,
  test: (shown: Shown) => testMail(adminData(shown)).html,
  signups: (shown: Shown) => noticeMail(shown.language, adminData(shown), SIGNUPS).html,
  paused: (shown: Shown) => noticeMail(shown.language, adminData(shown), PAUSED).html,
  passkey: (shown: Shown) => noticeMail(shown.language, adminData(shown), PASSKEY).html,
  webhook: (shown: Shown) => noticeMail(shown.language, adminData(shown), WEBHOOK).html,
};

function brandOf({ brand, hasLongName }: Shown) {
  const { styles: _, ...look } = brands[brand as keyof typeof brands] ?? brands.neutral;
  const host = look.url.replace(/^https:\/\/|\/$/g, '');
  return { ...look, host, ...(hasLongName && LONG) };
}

function personData(shown: Shown): PersonData {
  const brand = brandOf(shown);
  return {
    ...brand,
    unsubscribeUrl: `${brand.url}unsubscribe?token=${TOKEN}`,
    statusUrl: `${brand.url}status#token=${TOKEN}`,
    fields: {},
    link: `${brand.url}confirm#token=${TOKEN}`,
    days: 7,
  };
}

const adminData = (shown: Shown) => ({ ...brandOf(shown), dashboardUrl: `${brandOf(shown).url}admin` });

export interface EmailProps {
  readonly email: keyof typeof EMAILS;
  /** The toolbar's language and brand. */
  readonly language?: string;
  readonly brand?: string;
  /** A name and an address that wrap onto several lines. */
  readonly hasLongName?: boolean;
  /** The Markdown text of a campaign. */
  readonly campaign?: string;
  /** Width of the mail program in pixels. Default: the available width. */
  readonly width?: number;
}

/**
 * An email as a mail program shows it, in the toolbar's language, brand and theme. States that the toolbar can show,
 * too, have the tags `!dev` and `!autodocs`: they are tested but not in the sidebar.
 */
export function Email({ email, language, brand = 'neutral', hasLongName = false, campaign = '', width }: EmailProps) {
  const html = EMAILS[email]({ language: findLanguage(language ?? 'en') ?? 'en', brand, hasLongName, campaign });
  return <DocumentFrame key={html} html={html} {...(width !== undefined && { width })} />;
}

export const onEmail = {
  component: Email,
  parameters: { layout: 'fullscreen', controls: { exclude: /^(email|language|brand)$/ } },
  render: (args, { globals }) => <Email {...args} language={String(globals.locale)} brand={String(globals.brand)} />,
  play: async ({ canvasElement, args }) => {
    const email = await shownDocument(canvasElement);
    await expect(email.querySelectorAll('h1')).toHaveLength(1);
    if (TO_PEOPLE.has(args.email)) await expect(email.querySelector('a[href*="/unsubscribe?token="]')).toBeVisible();
  },
} satisfies Partial<Meta<typeof Email>>;

const TO_PEOPLE: ReadonlySet<string> = new Set(['welcome', 'confirmation', 'reminder', 'invite', 'status', 'campaign']);

/** Returns a play function that also checks the heading of an English email. */
export const withHeading =
  (heading: string): NonNullable<Meta<typeof Email>['play']> =>
  async (context) => {
    await onEmail.play(context);
    const email = await shownDocument(context.canvasElement);
    await expect(email.querySelector('h1')).toHaveTextContent(heading);
  };
