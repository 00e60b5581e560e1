import type { MailCopies } from '../list/forget.ts';
import type { Clock } from '../ports/clock.ts';
import type { Awaitable } from '../ports/log.ts';
import type { ComposableMessage } from '../ports/mail-composer.ts';
import type { DeliveryResult, Email } from '../ports/mail-transport.ts';
import type { Webhook } from '../ports/webhook-store.ts';
import type { PostResult } from '../ports/webhook-transport.ts';
import type { AdminSessions } from './admin-sessions.ts';
import type { HealthInput, MailTransportKind } from './health.ts';

/** The services that the admin's routes need besides the store. */
export interface AdminService {
  readonly sessions: AdminSessions;
  readonly clock: Clock;
  /** Takes the same time for every address: sends a link later if the normalised address is an admin's. */
  requestSignIn(email: string): Awaitable<void>;
  readonly mailTransport: MailTransportKind;
  /** Sends the test email and waits for the mail server. Null: no emails are sent. */
  readonly sendTestMail: ((to: string) => Promise<DeliveryResult>) | null;
  /** Composes and delivers a campaign to the admin. Null: no emails are sent. */
  readonly campaignMail: CampaignMail | null;
  /** Whether invitations can be sent: the product's page is set, and a mail server. */
  readonly canInvite: boolean;
  /** Null: no copies of emails are written. */
  readonly mailCopies: MailCopies | null;
  readonly webhooks: {
    /** Whether endpoints may be on this machine and its networks. */
    readonly allowLocal: boolean;
    /** Sends a test event and waits for the response. */
    sendTest(webhook: Webhook): Promise<PostResult>;
  };
  health(): Promise<ApplicationFacts>;
}

export interface CampaignMail {
  compose(message: ComposableMessage): Email;
  deliver(email: Email): Promise<DeliveryResult>;
}

/** The facts that the application knows about itself. */
interface ApplicationFacts extends Pick<HealthInput, 'siteUrl' | 'hasPublicUrl' | 'mistakes' | 'jobsAreLate'> {
  readonly version: string;
  /** Null: the store knows, or nobody does. */
  readonly retention_days: number | null;
  /** How often a rate limit refused a request since the start, by the limit's name. */
  readonly limits_hit: Readonly<Record<string, number>>;
}
