import type { AdminEmail } from '../../app/access/admin-check.ts';
import type { Language } from '../../app/brand/language.ts';
import type { VerifyHuman } from '../../app/human/human-check.ts';
import type { MailEventOptions } from '../../app/mail-events/receivers.ts';
import type { SignupCountOptions } from '../../app/people/signup-count.ts';
import type { MailTransport } from '../../app/ports/mail-transport.ts';
import type { Store } from '../../app/ports/store.ts';
import type { WebhookTransport } from '../../app/ports/webhook-transport.ts';
import type { ShareOptions } from '../../app/share/describe-share.ts';
import type { OnMailLink } from '../../mail/compose/message-composer.ts';
import type { MailTemplates } from '../../mail/templates/template.ts';
import type { Site } from '../pages/site/site.ts';
import type { EmbedScripts } from '../public/embed.ts';
import type { ListContextOptions } from '../routing/request-context.ts';

/** The options of `createEarlyAccess` that concern requests. */
export interface RouteOptions extends ListContextOptions {
  /** Addresses of admins, who may read the analytics summary and sign in to the dashboard by email. Default: none. */
  readonly adminEmail?: AdminEmail | undefined;
  /** The product that people are invited to. Without it, there are no invitations and no routes for them. */
  readonly invites?: InviteOptions | undefined;
  /**
   * Gives each person a share link, which earns credit when a friend confirms. So signups must be confirmed in the
   * store (`confirm: true`). Not available on Firestore.
   */
  readonly share?: ShareOptions | undefined;
  /** The mail providers whose reports of late bounces and complaints are accepted. Default: none. */
  readonly mailEvents?: MailEventOptions | undefined;
  /**
   * The check that verifies that page signups are made by humans. Signups from forms without scripts are confirmed by
   * email instead. Without it, every signup is accepted.
   */
  readonly verifyHuman?: VerifyHuman | undefined;
  /**
   * Enables the public route `GET /api/count`, which returns how many people have joined, and configures the smallest
   * number it returns.
   */
  readonly signupCount?: SignupCountOptions | undefined;
  /** The pages to serve, see `loadSite`. Without them only the API is served. */
  readonly site?: Site | undefined;
  /** The scripts for pages on other sites. */
  readonly embed?: EmbedScripts | undefined;
  /** The admin dashboard, see `loadDashboard`. */
  readonly dashboard?: Site | undefined;
  /** Enables `GET /metrics` for monitoring, protected by a key. Needs the package `prom-client`. */
  readonly metrics?: MetricsOptions | undefined;
  /** Serves a skill and `/llms.txt`, which explain the API to programs and agents. Default: false. */
  readonly agentDocs?: boolean | undefined;
  /**
   * The name of the admin session cookie, for hosts that only forward a certain cookie. Default: `__Host-early_access`,
   * or `early_access` if the site is not on https.
   */
  readonly sessionCookie?: string | undefined;
}

/** Access to the metrics. */
export interface MetricsOptions {
  /** At least 32 characters, which monitoring sends as `Authorization: Bearer`. */
  readonly key: string;
}

/** The product that people are invited to. */
export interface InviteOptions {
  /** The product's page that invitation links lead to, with the token in its fragment. */
  readonly url: URL;
  /**
   * The key with which the host's back end verifies and redeems invitations: at least 32 characters. Without it, this
   * application sends invitations, and another one redeems them.
   */
  readonly key?: string | undefined;
}

/** How emails are sent, and by whom. */
export interface MailOptions {
  readonly transport: MailTransport;
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  /** The Reply-To address of emails to people, in the same form. Default: the sender. */
  readonly replyTo?: string | undefined;
  /** The sender's postal address for the footer of campaigns, which many countries require by law. */
  readonly postalAddress?: string | undefined;
  /** Replaces the default emails, which only show the brand. */
  readonly templates?: MailTemplates | undefined;
  /** The language of default emails to people. Default: English. */
  readonly language?: Language | undefined;
  /** The folder that the transport writes emails to, if it does. Erasing a person deletes their emails from it. */
  readonly folder?: string | undefined;
}

/** The options of `createEarlyAccess`. Only `store` is required. */
export interface EarlyAccessOptions extends RouteOptions {
  readonly store: Store;
  /** Without it no emails are sent; they remain queued. */
  readonly mail?: MailOptions | undefined;
  /**
   * `allowLocal` allows endpoints that use http, or addresses of this machine and its networks. Default: false.
   * `transport` replaces the built-in client, which only connects to public addresses.
   */
  readonly webhooks?: { readonly allowLocal?: boolean | undefined; readonly transport?: WebhookTransport } | undefined;
  /**
   * Sessions older than this number of days are deleted; their totals remain. Default: 395. `by-database`: something
   * else deletes them, such as a Firestore policy.
   */
  readonly retentionDays?: number | 'by-database' | undefined;
  /**
   * Stores a request for a sign-in link, so that something else calls `deliverSignIn` later. Needed if the process may
   * end with the response. The address may be anyone's. By default the link is sent after the response.
   */
  readonly queueSignIn?: ((email: string) => Promise<void>) | undefined;
  /**
   * How long to wait after the response before sending the link, in milliseconds. Only an admin's address causes work,
   * which must not noticeably delay the caller's next request. Default: a random time of at most two seconds.
   */
  readonly signInDelayMs?: (() => number) | undefined;
  /**
   * Called with every sign-in link that leads to this machine, so that a local run that sends no emails can print it.
   * Never called with other links.
   */
  readonly onSignInLink?: ((link: string) => void) | undefined;
  /** Called with links that confirm an address or accept an invitation, in emails sent by a server on this machine. */
  readonly onMailLink?: OnMailLink | undefined;
}
