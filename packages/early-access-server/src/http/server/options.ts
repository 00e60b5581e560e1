import type { AdminEmail } from '../../app/access/admin-check.ts';
import type { Language } from '../../app/brand/language.ts';
import type { VerifyHuman } from '../../app/human/human-check.ts';
import type { SignupCountOptions } from '../../app/list/signup-count.ts';
import type { MailEventOptions } from '../../app/mail-events/receivers.ts';
import type { MailTransport } from '../../app/ports/mail-transport.ts';
import type { Store } from '../../app/ports/store.ts';
import type { WebhookTransport } from '../../app/ports/webhook-transport.ts';
import type { ShareOptions } from '../../app/share/describe-share.ts';
import type { OnMailLink } from '../../mail/compose/message-composer.ts';
import type { MailTemplates } from '../../mail/templates/template.ts';
import type { Site } from '../pages/site/site.ts';
import type { EmbedScripts } from '../public/embed.ts';
import type { ListContextOptions } from './request-context.ts';

/** The options of `createEarlyAccess` that concern requests. */
export interface RouteOptions extends ListContextOptions {
  /** The admins' addresses. They may read the analytics summary, and sign in to the dashboard by email. None if null, the default. */
  readonly adminEmail?: AdminEmail;
  /** The product that people of the list are invited to. Null, the default: the routes of invitations are missing. */
  readonly invites?: InviteOptions | null;
  /**
   * Gives each person a link to share, which brings credit once a friend has confirmed, so the store has to confirm signups. Null, the
   * default: there are no share links. Firestore has none.
   */
  readonly share?: ShareOptions | null;
  /** The mail providers whose reports of late bounces and complaints are accepted. None by default. */
  readonly mailEvents?: MailEventOptions;
  /**
   * The check that a page's signups have to pass to show that a person makes them. Signups of forms without scripts are confirmed by email
   * instead. Null, the default: every signup passes.
   */
  readonly verifyHuman?: VerifyHuman | null;
  /** Whether `GET /api/count` tells anyone how many people have joined, and from which number on. Null, the default: there is no such route. */
  readonly signupCount?: SignupCountOptions | null;
  /** The pages to serve. Null: they are not built yet. Undefined: there are none, only the API is served. */
  readonly site?: Site | null | undefined;
  /** The scripts for pages of other sites. */
  readonly embed?: EmbedScripts;
  /** The admin's page, see `loadDashboard`. Null: it is not built. Undefined: there is none. */
  readonly dashboard?: Site | null | undefined;
  /** Whether the server tells programs and agents how to use the API: a skill, and `/llms.txt`. False by default. */
  readonly agentDocs?: boolean;
  /**
   * The name of the cookie of an admin's session, for hosts that pass on a certain cookie only. `__Host-early_access` by default, or
   * `early_access` if the site is not on https.
   */
  readonly sessionCookie?: string | undefined;
}

export interface InviteOptions {
  /** The page of the product that an invitation leads to, with the token in its fragment. */
  readonly url: URL;
  /**
   * The key with which the host's back end verifies and redeems invitations: at least 32 characters. Null: this application sends
   * invitations, and another one redeems them.
   */
  readonly key: string | null;
}

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
  readonly folder?: string | null;
}

export interface EarlyAccessOptions extends RouteOptions {
  readonly store: Store;
  /** Null: no emails are sent; they remain queued. */
  readonly mail?: MailOptions | null;
  /**
   * `allowLocal`: endpoints may use http, and addresses of this machine and its networks. False by default. `transport` posts instead of
   * the built-in client, which only connects to public addresses.
   */
  readonly webhooks?: { readonly allowLocal?: boolean; readonly transport?: WebhookTransport };
  /** Sessions older than this are deleted; their sums stay. 395 by default. Null: the database deletes them itself. */
  readonly retentionDays?: number | null;
  /**
   * Stores that a sign-in link was asked for with this address, which may be anyone's, so that something else passes it to
   * `deliverSignIn`: for hosts whose process may end with the response. By default the link is sent after the response.
   */
  readonly queueSignIn?: ((email: string) => Promise<void>) | undefined;
  /**
   * How long the link waits after the response. Only an admin's address causes work, and it must not slow the caller's next request down. A
   * random time of at most two seconds by default.
   */
  readonly signInDelayMs?: () => number;
  /** Also gets every sign-in link that leads to this machine, to print it on a local run that sends no emails. Never gets any other. */
  readonly onSignInLink?: ((link: string) => void) | null;
  /** The same for the links to confirm an address and to accept an invitation, of emails that a server on this machine sends. */
  readonly onMailLink?: OnMailLink | null;
}
