import type { LinkData, WelcomeData } from '../template.ts';

/** The words of an email with a heading and a button. */
export interface Words {
  readonly subject: string;
  /** The text that the list of emails shows after the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly intro: string;
  readonly button: string;
  readonly closing: { readonly heading: string; readonly text: string };
}

/** The words of the default emails in one language. Dates arrive as text. */
export interface Texts {
  readonly welcome: (data: WelcomeData) => Words;
  readonly confirmation: (data: LinkData) => Words;
  readonly reminder: (data: LinkData) => Words;
  readonly invite: (data: LinkData) => Words;
  /** Each begins a sentence that a link ends, or is that link. */
  readonly footer: {
    /** The link is the site. Also true of people who were imported. */
    readonly onListOf: string;
    readonly unwanted: string;
    readonly deleteAddress: string;
    readonly unsubscribe: string;
    /** The footer of emails to admins. The link is the site. */
    readonly askedFor: string;
  };
  readonly signupsNotice: (data: { readonly name: string; readonly count: number; readonly since: string }) => Words;
  readonly webhookNotice: (data: { readonly name: string; readonly host: string; readonly reason: string }) => Words;
}
