import type { Email } from './compose.ts';

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
