import type { MailContent } from '../../app/ports/mail-transport.ts';
/** Makes the content of an email. It is called for every delivery attempt and at the start, so it must not have effects. */
export type MailTemplate<Data> = (data: Data) => MailContent;
