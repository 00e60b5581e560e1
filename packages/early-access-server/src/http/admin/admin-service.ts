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
  /** Takes the same time for every address: sends a link later if someone with the normalised address may use the dashboard. */
  requestSignIn(email: string): Promise<void> | void;
  readonly mailTransport: MailTransportKind;
  /** Sends the test email and waits for the mail server. Null: no emails are sent. */
  readonly sendTestMail: ((to: string) => Promise<DeliveryResult>) | null;
  /** Composes and delivers a campaign to the admin. Null: no emails are sent. */
  readonly campaignMail: CampaignMail | null;
  /** Whether invitations can be sent: the product's page is set, and a mail server. */
  readonly canInvite: boolean;
  /** Whether people get share links. */
  readonly shares: boolean;
  readonly mailCopies: MailCopies | null;
  /** Works on the action on many people that was started or resumed: in jobs, or for some seconds in this request. */
  workOnBulk(): Promise<void>;
  /** Begins to sign up the people who wait for the list to open, if it accepts them. */
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
