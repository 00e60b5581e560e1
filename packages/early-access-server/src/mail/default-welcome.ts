import { layOut } from './default-layout.ts';
import type { MailTemplate, WelcomeData } from './template.ts';

/** The welcome email of a host without its own template: the brand's name, colours and logo, and nothing else about the product. */
export const defaultWelcome: MailTemplate<WelcomeData> = (data) =>
  layOut(data, {
    subject: `You're on the list for ${data.name}`,
    preview: 'We’ll email you when it’s your turn. There is nothing else to do.',
    heading: 'You’re on the list',
    intro: `Thank you for signing up. Your place on the list for ${data.name} is saved.`,
    button: { label: `Visit ${data.host}`, target: data.url },
    closing: {
      heading: 'What happens next',
      text: 'There is nothing else to do. We’ll email you when it’s your turn.',
    },
    footer: [
      {
        text: 'You received this email because this address was entered at',
        link: { label: data.host, target: data.url },
      },
      {
        text: 'Wasn’t it you, or did you change your mind?',
        link: { label: 'Ask us to delete your address', target: data.unsubscribeUrl },
      },
    ],
  });
