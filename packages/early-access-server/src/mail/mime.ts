import MailComposer from 'nodemailer/lib/mail-composer';
import type { Refusal } from '../app/mail/classify-reply.ts';
import type { DeliveryResult, Email } from '../app/ports/mail-transport.ts';
import { wireAddress } from './address.ts';

export interface Message {
  readonly from: string;
  readonly to: string;
  readonly needsSmtpUtf8: boolean;
  /** MIME, with CRLF. */
  readonly raw: Buffer;
}

export type Refused = Extract<DeliveryResult, { outcome: 'refused' }>;

/**
 * Encodes an email as MIME. Rejects the email if its `To` header would differ from the stored address: mail libraries
 * rewrite values that look like several addresses, like a name with an address, or like an unusual domain. `keepLines`
 * keeps the text readable by not breaking long lines, which is fine for files but not for mail servers.
 */
export async function toMessage(email: Email, { keepLines = false } = {}): Promise<Message | Refused> {
  const to = wireAddress(email.to);
  if (!to) return refused('content', 'the address cannot be written into a mail unchanged');
  const mime = new MailComposer({
    from: email.from,
    to: { address: to.address, name: '' },
    subject: email.subject,
    text: keepLines ? { raw: eightBitPart('plain', email.text) } : email.text,
    html: keepLines ? { raw: eightBitPart('html', email.html) } : email.html,
    messageId: email.messageId,
    headers: { ...email.headers },
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from, to: recipients } = mime.getEnvelope();
  if (!from) return refused('our-problem', 'the sender address cannot be used');
  if (recipients.length !== 1 || recipients[0] !== to.address) {
    return refused('content', 'the address cannot be written into a mail unchanged');
  }
  return { from, to: to.address, needsSmtpUtf8: to.needsSmtpUtf8, raw: await mime.build() };
}

function eightBitPart(subtype: string, content: string): string {
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}`;
}

export function refused(refusal: Refusal, reason: string): Refused {
  return { outcome: 'refused', refusal, reason };
}
