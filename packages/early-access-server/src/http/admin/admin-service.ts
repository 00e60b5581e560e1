import type { MountMistake } from '../../app/access/host-mistakes.ts';
import type { AdminSessions } from '../../app/admin/admin-sessions.ts';
import type { MailTransportKind } from '../../app/admin/health.ts';
import type { Passkeys } from '../../app/admin/passkeys.ts';
import type { Team } from '../../app/admin/team.ts';
import type { CampaignMail } from '../../app/campaigns/campaign-email.ts';
import type { MailCopies } from '../../app/people/forget.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { DeliveryResult } from '../../app/ports/mail-transport.ts';
import type { Webhook } from '../../app/ports/webhook-store.ts';
import type { PostResult } from '../../app/ports/webhook-transport.ts';
import type { SignupRefusal } from '../../app/signup/signup-refusals.ts';

export interface AdminService {
  readonly clock: Clock;
  readonly sessions: AdminSessions;
  readonly passkeys: Passkeys;
  readonly team: Team;
  /**
   * Sends a sign-in link if the normalized address may use the dashboard. Takes the same time for every address,
   * because the link is sent later.
   */
  requestSignIn(email: string): Promise<void> | void;
  readonly mailTransport: MailTransportKind;
  /** Sends the test email and waits for the mail server. Null: no emails are sent. */
  readonly sendTestMail: ((to: string) => Promise<DeliveryResult>) | null;
  /** Composes a campaign and delivers it to the admin. Null: no emails are sent. */
  readonly campaignMail: CampaignMail | null;
  /** True if invitations can be sent: the product's URL and a mail server are configured. */
  readonly canInvite: boolean;
  readonly shares: boolean;
  readonly mailCopies: MailCopies | null;
  /** Processes the bulk action that was started or resumed: in jobs, or for a few seconds in this request. */
  workOnBulk(): Promise<void>;
  /** Starts signing up the people who wait for the list to open, if it accepts them. */
  admitWaiting(): Promise<void>;
  readonly webhooks: {
    readonly allowLocal: boolean;
    /** Sends a test event and waits for the response. */
    sendTest(webhook: Webhook): Promise<PostResult>;
  };
  health(): Promise<ApplicationFacts>;
}

export interface ApplicationFacts {
  readonly version: string;
  readonly retention_days: number | null;
  readonly limits_hit: Readonly<Record<string, number>>;
  readonly signups_refused: Readonly<Partial<Record<SignupRefusal, number>>>;
  readonly siteUrl: URL;
  readonly hasPublicUrl: boolean;
  readonly mistakes: readonly MountMistake[];
  readonly jobsAreLate: boolean;
}
