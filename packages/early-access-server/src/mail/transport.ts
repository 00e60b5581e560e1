import type { WelcomeEmail } from './compose.ts';

/**
 * What became of an email. A `reason` is for logs and never holds an address.
 * - `sent`: the other side has taken it over.
 * - `refused`: it has definitely not gone out. `permanent` where another try would be refused again.
 * - `unknown`: it may have gone out, because the answer to it was lost. Sending it again might send it twice.
 */
export type DeliveryResult =
  | { readonly outcome: 'sent' }
  | { readonly outcome: 'refused'; readonly permanent: boolean; readonly reason: string }
  | { readonly outcome: 'unknown'; readonly reason: string };

export interface MailTransport {
  /** NEVER rejects, and hands over to exactly the address in `to` or to none. */
  deliver(email: WelcomeEmail): Promise<DeliveryResult>;
  /** Ends what is kept open between deliveries. Does not wait for a delivery under way. */
  close(): Promise<void>;
}
