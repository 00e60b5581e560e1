import type { Brand } from '../../app/brand/brand.ts';
import type { Language } from '../../app/brand/language.ts';
import type { WeeklyReport } from '../../app/mail/notice.ts';
import { wrap } from '../compose/wrap.ts';
import type { Words } from './texts/en.ts';

export const NUMBER = new Intl.NumberFormat('en');

interface Link {
  readonly label: string;
  readonly target: string;
}

/** The content of a default email. */
export interface DefaultMail extends Pick<Words, 'subject' | 'preview'>, Partial<Pick<Words, 'closing'>> {
  readonly language: Language;
  /** The top of the email: a heading and a sentence, or an admin's text. */
  readonly opening:
    | { readonly heading: string; readonly intro: string }
    | { readonly html: string; readonly text: string; readonly language: Language };
  readonly figures?: WeeklyReport['figures'];
  readonly dailySignups?: WeeklyReport['dailySignups'];
  /** `inText`: whether the plain text repeats the link. */
  readonly button?: Link & { readonly inText?: boolean };
  /** Why the person received it, and what to do if that was a mistake. */
  readonly footer: readonly { readonly text: string; readonly link?: Link }[];
}

export const DAYS_TITLE = 'Signups per day';

export function toText({ name }: Brand, mail: DefaultMail): string {
  const { opening, figures = [], dailySignups = [], button, closing, footer } = mail;
  const parts = [
    ...('html' in opening ? [opening.text] : [opening.heading.toUpperCase(), wrap(opening.intro)]),
    figures.map(({ label, value, change }) => wrap(`${label}: ${value} ${change}`.trim())).join('\n'),
    ...(dailySignups.length > 0
      ? [
          DAYS_TITLE.toUpperCase(),
          dailySignups.map(({ label, signups }) => `${label} ${NUMBER.format(signups)}`).join('\n'),
        ]
      : []),
    button?.inText ? `${button.label}:\n${button.target}` : '',
    ...(closing ? [closing.heading.toUpperCase(), wrap(closing.text)] : []),
    name,
    `-- \n${footer.map(footerText).join('\n\n')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function footerText({ text, link }: DefaultMail['footer'][number]): string {
  if (link === undefined) return wrap(text);
  const { label, target } = link;
  // A label that is the URL itself is not repeated.
  return `${wrap(target.includes(label) ? text : `${text} ${label}:`)}\n${target}`;
}
