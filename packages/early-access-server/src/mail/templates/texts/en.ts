import type { LinkData, PersonMailData } from '../template.ts';
import { countText } from './count-text.ts';

/** The texts of the default emails. Dates are already formatted. */
export const en = {
  welcome: ({ name, host }: PersonMailData) => ({
    subject: `You’re on the list for ${name}`,
    /** Shown after the subject in a list of emails. */
    preview: 'We’ll email you when it’s your turn. There is nothing else to do.',
    heading: 'You’re on the list',
    intro: `Thank you for signing up. Your place on the list for ${name} is saved.`,
    button: `Visit ${host}`,
    closing: {
      heading: 'What happens next',
      text: 'There is nothing else to do. We’ll email you when it’s your turn.',
    },
  }),
  confirmation: ({ name, days }: LinkData) => ({
    subject: `Confirm your email for ${name}`,
    preview: 'Confirm your address to save your place on the list.',
    heading: 'One more step',
    intro: `Thank you for signing up. Confirm your email address to save your place on the list for ${name}.`,
    button: 'Confirm my email',
    closing: {
      heading: 'Good to know',
      text: `The link works for ${days} days. If it wasn’t you, ignore this email, and we’ll delete your address.`,
    },
  }),
  reminder: ({ name, days }: LinkData) => ({
    subject: `Your place on the list for ${name}`,
    preview: 'Your email address is not confirmed yet.',
    heading: 'Still interested?',
    intro: `A few days ago you signed up for ${name}, but your email address is not confirmed yet. Confirm it to save your place on the list.`,
    button: 'Confirm my email',
    closing: {
      heading: 'Changed your mind?',
      text: `Then ignore this email. We won’t remind you again, and we’ll delete your address. The link works for ${days} days.`,
    },
  }),
  invite: ({ name, days }: LinkData) => ({
    subject: `Your invitation to ${name}`,
    preview: 'It’s your turn. Thank you for waiting.',
    heading: 'It’s your turn',
    intro: `Thank you for waiting. Your place in ${name} is ready: open your invitation to get started.`,
    button: 'Accept invitation',
    closing: {
      heading: 'Good to know',
      text: `The link is for you alone. It works once, for ${days} days.`,
    },
  }),
  status: ({ name }: PersonMailData) => ({
    subject: `Your page on the list for ${name}`,
    preview: 'The link that you asked for.',
    heading: 'Your page',
    intro: `Here is the link that you asked for. Your page shows where you are on the list for ${name}, and what is stored about you.`,
    button: 'Open your page',
    closing: {
      heading: 'Good to know',
      text: 'The link is for you alone. If you did not ask for it, ignore this email. Nothing has changed.',
    },
  }),
  /** Each is the start of a sentence that ends with a link, or the link itself. */
  footer: {
    /** Must also be true for people who were imported. */
    onListOf: 'You received this email because this address was added to the list of',
    /** Links to the status page. */
    yourData: 'Want to see your data or change your address?',
    yourPage: 'Open your page',
    unwanted: 'Wasn’t you, or changed your mind?',
    deleteAddress: 'Ask us to delete your address',
    unsubscribe: 'Unsubscribe',
    /** The footer of emails to admins. */
    askedFor: 'You received this email because you asked for it in the dashboard of',
    /** The footer of important notices to admins. */
    signsIn: 'You received this email because this address signs in to the dashboard of',
  },
  signupsNotice: ({ name, count, since }: { name: string; count: number; since: string }) => {
    const signups = countText('en', count, { one: '# new signup', other: '# new signups' });
    return {
      subject: `${name}: ${signups}`,
      preview: `Since ${since}`,
      heading: signups,
      intro: `Your list for ${name} is growing: ${signups} since ${since}.`,
      button: 'See the list',
      closing: {
        heading: 'Too many emails?',
        text: 'The dashboard can send you one email a day instead, or none.',
      },
    };
  },
  webhookNotice: ({ name, endpoint, reason }: { name: string; endpoint: string; reason: string }) => ({
    subject: `${name}: a webhook was disabled`,
    preview: `Nothing could be delivered to ${endpoint} for a day.`,
    heading: 'A webhook was disabled',
    intro: `Nothing could be delivered to ${endpoint} for a day, so it gets no more events. The last attempt ended with: ${reason}.`,
    button: 'Open dashboard',
    closing: {
      heading: 'What to do',
      text: 'Check the endpoint, then turn it on again in the dashboard. Events from the last day will then be delivered.',
    },
  }),
  complaintsNotice: ({
    name,
    emails,
    complaints,
    rate,
    limit,
    since,
  }: {
    name: string;
    emails: string;
    complaints: string;
    rate: string;
    limit: string;
    since: string;
  }) => ({
    subject: `${name}: campaigns are paused`,
    preview: `${complaints} of ${emails} emails were reported as spam.`,
    heading: 'Campaigns are paused',
    intro: `Since ${since}, ${complaints} of ${emails} emails from ${name} were reported as spam (${rate}). Above ${limit}, mail providers stop accepting email from you, so every campaign that was being sent is now paused, including the series. Confirmations and invitations continue.`,
    button: 'Open dashboard',
    closing: {
      heading: 'What to do',
      text: 'Find out who did not expect your email: in most cases, people from an old or imported list. Leave them out of the audience, then resume the campaign in the dashboard. The rest of it stays unsent until then.',
    },
  }),
  passkeyNotice: ({ name, since }: { name: string; since: string }) => ({
    subject: `${name}: a passkey was added`,
    preview: `Added on ${since}. It can be used to sign in to your dashboard account.`,
    heading: 'A passkey was added',
    intro: `On ${since}, a passkey was added to your account in the dashboard of ${name}. It can be used to sign in without an email.`,
    button: 'Open dashboard',
    closing: {
      heading: 'Wasn’t you?',
      text: 'Then someone else is using your account. Remove the passkey in the settings of the dashboard, and choose “Sign out everywhere”.',
    },
  }),
};

export type Texts = typeof en;
export type Words = ReturnType<Texts['welcome']>;
