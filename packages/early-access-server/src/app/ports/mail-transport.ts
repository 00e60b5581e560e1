import type { Refusal } from '../mail/classify-reply.ts';

/** The content of one email, as returned by a template. */
export interface MailContent {
  /** A single line. */
  readonly subject: string;
  /** The plain-text part. */
  readonly text: string;
  /** A complete HTML document. Escape all external values in it with `escapeHtml`. */
  readonly html: string;
}

/** A composed email to one recipient. */
export interface Email extends MailContent {
  /** The sender as configured, with or without a name: `Acme <hello@example.com>`. */
  readonly from: string;
  /** The bare address, as it is stored. */
  readonly to: string;
  /** Includes angle brackets. The same for every attempt, so that duplicates can be recognized. */
  readonly messageId: string;
  /** Additional headers. Transports add `Date`. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The result of a delivery attempt. `reason` is for logs and the admin: the mail server's reply without any address.
 * - `sent`: the mail server accepted it, or it was written to `file`.
 * - `refused`: it was definitely not sent. `refusal` determines what happens to the message, its recipient and the
 *   queue.
 * - `unknown`: it may have been sent, because the response was lost. Retrying might send it twice.
 */
export type DeliveryResult =
  | { readonly outcome: 'sent'; readonly file?: string }
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

/** Sends emails through a mail server or another service. Ready-made: `smtpTransport` and `fileTransport`. */
export interface MailTransport {
  /** NEVER rejects. Sends to the address in `to` or to nobody. */
  deliver(email: Email): Promise<DeliveryResult>;
  /** Closes open connections without waiting for deliveries in progress. */
  close(): Promise<void>;
}
