import { layOut } from './default-layout.ts';
import type { MailTemplate, SignInData } from './template.ts';

/** The email with an admin's sign-in link, for a host without its own template. */
export const defaultSignIn: MailTemplate<SignInData> = (data) =>
  layOut(data, {
    language: 'en',
    subject: `Sign in to ${data.name}`,
    preview: `This link works once, for ${data.minutes} minutes.`,
    opening: {
      heading: 'Your sign-in link',
      intro: `Open this link to sign in to the dashboard of ${data.name}. It works once, for ${data.minutes} minutes.`,
    },
    button: { label: 'Sign in', target: data.link, inText: true },
    closing: {
      heading: 'You did not ask for it?',
      text: 'Then ignore this email. Without this link no one can sign in. Do not forward it to anyone.',
    },
    footer: [
      {
        text: 'You received this email because someone asked for a sign-in link at',
        link: { label: data.host, target: data.url },
      },
    ],
  });
