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
  /**
   * The admins' addresses. They may read the analytics summary, and sign in to the dashboard by email. None by default.
   */
  readonly adminEmail?: AdminEmail | undefined;
  /** The product that people of the list are invited to. Without it the routes of invitations are missing. */
  readonly invites?: InviteOptions | undefined;
  /**
   * Gives each person a link to share, which brings credit once a friend has confirmed, so the store has to confirm
   * signups (`confirm: true`). Firestore has none.
   */
  readonly share?: ShareOptions | undefined;
  /** The mail providers whose reports of late bounces and complaints are accepted. None by default. */
  readonly mailEvents?: MailEventOptions | undefined;
  /**
   * The check that a page's signups have to pass to show that a person makes them. Signups of forms without scripts are
   * confirmed by email instead. Without it every signup passes.
   */
  readonly verifyHuman?: VerifyHuman | undefined;
  /**
   * Has `GET /api/count` tell anyone how many people have joined, and from which number on. Without it there is no such
   * route.
   */
  readonly signupCount?: SignupCountOptions | undefined;
  /** The pages to serve, see `loadSite`. Without them only the API is served. */
  readonly site?: Site | undefined;
  /** The scripts for pages of other sites. */
  readonly embed?: EmbedScripts | undefined;
  /** The admin's page, see `loadDashboard`. */
  readonly dashboard?: Site | undefined;
  /** Has `GET /metrics` tell monitoring how the server does, with a key. Needs the package `prom-client`. */
  readonly metrics?: MetricsOptions | undefined;
  /** Whether the server tells programs and agents how to use the API: a skill, and `/llms.txt`. False by default. */
  readonly agentDocs?: boolean | undefined;
  /**
   * The name of the cookie of an admin's session, for hosts that pass on a certain cookie only. `__Host-early_access`
   * by default, or `early_access` if the site is not on https.
   */
  readonly sessionCookie?: string | undefined;
}

/** Who may read the metrics. */
export interface MetricsOptions {
  /** At least 32 characters, which monitoring sends as `Authorization: Bearer`. */
  readonly key: string;
}

/** The product that people of the list are let into. */
export interface InviteOptions {
  /** The page of the product that an invitation leads to, with the token in its fragment. */
  readonly url: URL;
  /**
   * The key with which the host's back end verifies and redeems invitations: at least 32 characters. Without it this
   * application sends invitations, and another one redeems them.
   */
  readonly key?: string | undefined;
}

/** How emails are sent, and in whose name. */
export interface MailOptions {
  readonly transport: MailTransport;
  /** The sender: `hello@example.com` or `Acme <hello@example.com>`. */
  readonly from: string;
  /** Where replies to emails to people go, in the same form. The sender by default. */
  readonly replyTo?: string | undefined;
  /** The sender's postal address, which the laws of many countries ask for. It is in the footer of campaigns. */
  readonly postalAddress?: string | undefined;
  /** Replaces the default emails, which are made of the brand alone. */
  readonly templates?: MailTemplates | undefined;
  /** The language of the default emails to people. English by default. */
  readonly language?: Language | undefined;
  /** The folder that the transport writes emails to, if it does: forgetting a person deletes theirs. */
  readonly folder?: string | undefined;
}

/** The options of `createEarlyAccess`. Only `store` is needed. */
export interface EarlyAccessOptions extends RouteOptions {
  readonly store: Store;
  /** Without it no emails are sent; they remain queued. */
  readonly mail?: MailOptions | undefined;
  /**
   * `allowLocal`: endpoints may use http, and addresses of this machine and its networks. False by default. `transport`
   * posts instead of the built-in client, which only connects to public addresses.
   */
  readonly webhooks?: { readonly allowLocal?: boolean | undefined; readonly transport?: WebhookTransport } | undefined;
  /**
   * Sessions older than this are deleted; their sums stay. 395 by default. `by-database`: something else deletes them,
   * such as a policy of Firestore.
   */
  readonly retentionDays?: number | 'by-database' | undefined;
  /**
   * Stores that a sign-in link was asked for with this address, which may be anyone's, so that something else passes it
   * to `deliverSignIn`: for hosts whose process may end with the response. By default the link is sent after the
   * response.
   */
  readonly queueSignIn?: ((email: string) => Promise<void>) | undefined;
  /**
   * How long the link waits after the response. Only an admin's address causes work, and it must not slow the caller's
   * next request down. A random time of at most two seconds by default.
   */
  readonly signInDelayMs?: (() => number) | undefined;
  /**
   * Also gets every sign-in link that leads to this machine, to print it on a local run that sends no emails. Never
   * gets any other.
   */
  readonly onSignInLink?: ((link: string) => void) | undefined;
  /**
   * The same for the links to confirm an address and to accept an invitation, of emails that a server on this machine
   * sends.
   */
  readonly onMailLink?: OnMailLink | undefined;
}
