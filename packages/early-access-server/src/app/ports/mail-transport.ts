import type { Refusal } from '../mail/classify-reply.ts';

/** The content of one email, as a template returns it. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  /** The plain text, for programs and people that prefer it. */
  readonly text: string;
  /** A whole HTML document. Values from outside must be escaped in it: see `escapeHtml`. */
  readonly html: string;
}

/** A composed email to one recipient. */
export interface Email extends MailContent {
  /** A mailbox with or without a name, as configured: `Acme <hello@example.com>`. */
  readonly from: string;
  /** The bare address, as it is stored. */
  readonly to: string;
  /** Includes angle brackets. The same for every attempt, so that a second copy can be recognized as one. */
  readonly messageId: string;
  /** Additional headers, which not every email has; the transports add `Date`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The result of a delivery attempt. `reason` is for logs and the admin: what the mail server said, without any address.
 * - `sent`: the mail server accepted it, or it was written to `file`.
 * - `refused`: it was definitely not sent. `refusal` says what that means for the message, its recipient and the queue.
 * - `unknown`: it may have been sent, because the response was lost. A retry might send it twice.
 */
export type DeliveryResult =
  | { readonly outcome: 'sent'; readonly file?: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/**
 * Hands emails to a mail server, or to whatever else delivers them. `smtpTransport` and `fileTransport` are ready-made.
 */
export interface MailTransport {
  /** NEVER rejects. Sends to the address in `to`, or to no one. */
  deliver(email: Email): Promise<DeliveryResult>;
  /** Closes open connections, without waiting for deliveries in progress. */
  close(): Promise<void>;
}
