import type { DeliveryResult, Email } from '../../mail/email.ts';
import type { ComposableMessage } from '../../mail/message-composer.ts';
import type { MailCopies } from '../forget.ts';
import type { Awaitable, Clock } from '../ports.ts';
import type { PostResult } from '../webhooks/webhook-request.ts';
import type { Webhook } from '../webhooks/webhook-store.ts';
import type { HealthResponse, MailResponse } from './admin-api.ts';
import type { AdminSessions } from './admin-sessions.ts';
import type { HealthInput } from './health.ts';

/** What the admin's routes need besides the store. */
export interface AdminService {
  readonly sessions: AdminSessions;
  readonly clock: Clock;
  /** Takes the same time for every address: sends a link later if the normalised address is an admin's. */
  requestSignIn(email: string): Awaitable<void>;
  readonly mailTransport: MailResponse['transport'];
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

/** What the application knows about itself. */
interface ApplicationFacts
  extends Pick<HealthResponse, 'version' | 'retention_days' | 'limits_hit'>,
    Pick<HealthInput, 'siteUrl' | 'hasPublicUrl' | 'mistakes' | 'jobsAreLate'> {}
