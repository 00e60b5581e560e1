/** The content of one email, as a template returns it. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  /** The plain text, for programs and people that prefer it. */
  readonly text: string;
  /** A whole HTML document. Values from outside must be escaped in it: see `escapeHtml`. */
  readonly html: string;
}

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
 * The result of a delivery attempt. `reason` is for logs and never contains an address.
 * - `sent`: the mail server accepted it.
 * - `refused`: it was definitely not sent. `permanent` if a retry would be refused too, `bounced` if the address itself was refused.
 * - `unknown`: it may have been sent, because the response was lost. A retry might send it twice.
 */
export type DeliveryResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused'; readonly permanent: boolean; readonly bounced?: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface MailTransport {
  /** NEVER rejects. Sends to the address in `to`, or to no one. */
  deliver(email: Email): Promise<DeliveryResult>;
  /** Closes open connections, without waiting for deliveries in progress. */
  close(): Promise<void>;
}
