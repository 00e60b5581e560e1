import type { Brand } from '../../app/brand/brand.ts';
import { layOut } from './default-layout.ts';
import type { MailContent } from './template.ts';

/** The email that an admin sends to themselves to try out the mail server. */
export function testMail(brand: Brand & { readonly host: string }): MailContent {
  return layOut(brand, {
    language: 'en',
    subject: `Test email from ${brand.name}`,
    preview: 'The mail server works.',
    opening: {
      heading: 'The mail server works',
      intro: `This is the test email that you asked for in the dashboard of ${brand.name}.`,
    },
    button: { label: `Visit ${brand.host}`, target: brand.url },
    closing: {
      heading: 'Is it in the spam folder?',
      text: 'Then emails to the people on the list end up there too. Check the SPF, DKIM and DMARC records of the sender’s domain.',
    },
    footer: [
      {
        text: 'You received this email because an admin asked for it at',
        link: { label: brand.host, target: brand.url },
      },
    ],
  });
}
