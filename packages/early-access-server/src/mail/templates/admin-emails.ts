import type { Role } from '../../app/access/roles.ts';
import type { Invitation } from '../../app/admin/sign-in-mail.ts';
import type { Language } from '../../app/brand/language.ts';
import { MAX_COMPLAINT_RATE } from '../../app/mail/complaints.ts';
import type { Notice } from '../../app/mail/notice.ts';
import { dateFormat, LONG_DAY, TIME } from '../../app/text/dates.ts';
import { layOut } from './default-layout.ts';
import { createMail, TEXTS } from './default-templates.ts';
import type { MailBrand, MailContent, MailTemplate, SignInData, WeeklyData } from './template.ts';
import type { Words } from './texts/en.ts';

type AdminMailData = MailBrand & { readonly host: string };

interface AdminMail {
  readonly language?: Language;
  readonly words: Words;
  /** The button's URL, which is repeated in the plain text unless `inText` is false. */
  readonly target: string;
  readonly inText?: boolean;
  readonly figures?: WeeklyData['figures'];
  readonly dailySignups?: WeeklyData['dailySignups'];
  /** Why the admin received it. Followed by the site's URL. */
  readonly reason: string;
}

function layOutForAdmin(data: AdminMailData, mail: AdminMail): MailContent {
  const { language = 'en', words, target, inText = true, figures = [], dailySignups = [], reason } = mail;
  const footer = [{ text: reason, link: { label: data.host, target: data.url } }];
  return layOut(data, { ...createMail(language, words, target, inText), figures, dailySignups, footer });
}

/** The default email with an admin's sign-in link. */
export const defaultSignIn: MailTemplate<SignInData> = (data) =>
  layOutForAdmin(data, {
    words: {
      subject: `Sign in to ${data.name}`,
      preview: `This link works once, for ${data.minutes} minutes.`,
      heading: 'Your sign-in link',
      intro: `Open this link to sign in to the dashboard of ${data.name}. It works once, for ${data.minutes} minutes.`,
      button: 'Sign in',
      closing: {
        heading: 'Didn’t ask for it?',
        text: 'Then ignore this email. Without this link no one can sign in. Do not forward it to anyone.',
      },
    },
    target: data.link,
    reason: 'You received this email because someone asked for a sign-in link at',
  });

const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'You can see its figures.',
  editor: 'You can see its figures and people, and write email drafts.',
  admin: 'You can do everything there.',
};

/** The email to someone invited to the dashboard, with their first sign-in link. */
export function invitationMail(data: SignInData, { invited_by, role }: Invitation): MailContent {
  const dashboard = data.link.replace(/#.*$/, '');
  return layOutForAdmin(data, {
    words: {
      subject: `You are invited to the dashboard of ${data.name}`,
      preview: ROLE_MEANINGS[role],
      heading: 'Your invitation',
      intro: `${invited_by} has invited you to the dashboard of ${data.name}. ${ROLE_MEANINGS[role]}`,
      button: 'Sign in',
      closing: {
        heading: 'Link expired?',
        text: `The link works once, for ${data.minutes} minutes. If it has expired, get another one at ${dashboard} with this email address. If you did not expect an invitation, ignore this email.`,
      },
    },
    target: data.link,
    reason: 'You received this email because an admin invited this address at',
  });
}

export const defaultWeekly: MailTemplate<WeeklyData> = (data) =>
  layOutForAdmin(data, {
    words: {
      subject: `${data.name}: ${data.period}`,
      preview: data.figures.map(({ label, value }) => `${label}: ${value}`).join(', '),
      heading: 'Your week in review',
      intro: `Here is your week on ${data.host}, ${data.period}, compared with the week before.`,
      button: 'Open dashboard',
      closing: {
        heading: 'No longer interested?',
        text: 'Turn this email off in the dashboard’s settings.',
      },
    },
    target: data.dashboardUrl,
    figures: data.figures,
    dailySignups: data.dailySignups,
    reason: TEXTS.en.footer.askedFor,
  });

export const testMail: MailTemplate<AdminMailData> = (data) =>
  layOutForAdmin(data, {
    words: {
      subject: `Test email from ${data.name}`,
      preview: 'The mail server works.',
      heading: 'The mail server works',
      intro: `This is the test email that you asked for in the dashboard of ${data.name}.`,
      button: `Visit ${data.host}`,
      closing: {
        heading: 'Is it in the spam folder?',
        text: 'If so, emails to people on the list probably land there too. Check the SPF, DKIM and DMARC records of the sender’s domain.',
      },
    },
    target: data.url,
    inText: false,
    reason: 'You received this email because an admin asked for it at',
  });

/** Notices whose email consists of a few sentences. */
type PlainNotice = Exclude<Notice, { readonly type: 'weekly' }>;

export function noticeMail(
  language: Language,
  data: AdminMailData & { readonly dashboardUrl: string },
  notice: PlainNotice,
): MailContent {
  const words = noticeWords(data.name, notice, language);
  const { askedFor, signsIn } = TEXTS[language].footer;
  const reason = notice.type === 'signups' ? askedFor : signsIn;
  return layOutForAdmin(data, { language, words, target: data.dashboardUrl, reason });
}

function noticeWords(name: string, notice: PlainNotice, language: Language): Words {
  const texts = TEXTS[language];
  if (notice.type === 'webhook-disabled')
    return texts.webhookNotice({ name, endpoint: notice.endpoint, reason: notice.reason });
  const date = dateFormat('UTC', { ...LONG_DAY, ...TIME }, language);
  const since = `${date.format(notice.since)} UTC`;
  switch (notice.type) {
    case 'signups':
      return texts.signupsNotice({ name, count: notice.signups, since });
    case 'passkey-added':
      return texts.passkeyNotice({ name, since });
    case 'campaigns-paused': {
      const number = new Intl.NumberFormat(language);
      const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
      return texts.complaintsNotice({
        name,
        since,
        emails: number.format(notice.emails),
        complaints: number.format(notice.complaints),
        rate: percent.format(notice.complaints / notice.emails),
        limit: percent.format(MAX_COMPLAINT_RATE),
      });
    }
  }
}
