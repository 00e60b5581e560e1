/**
 * Which document lies where, and who writes it.
 *
 * Browsers write three collections, through `firestoreAdapter` and only as `firestore.rules` allow:
 *
 *   email_signups/{SHA-256 of the address}   a signup. The application adds its state (`list/enrolment.ts`)
 *   sessions/{id}                            a visit, from its start to its last update (`sessions.ts`)
 *   visitors/{id}                            how often a browser has come
 *
 * The application writes everything else, and no browser may read or write it:
 *
 *   the list        email_signups/left-{…} (who unsubscribed), person_tokens, invite_waves, list_progress, keys
 *   the mail queue  mails, mail_hours, mailboxes, campaigns
 *   webhooks        webhooks, webhook_deliveries
 *   analytics       analytics, analytics_parts: the archive that the roll-up packs from sessions and signups
 *   admins          admin_sign_in_requests, admin_sign_in_tokens, admin_sessions, admin_settings, admin_audit, api_keys
 *   protection      throttles, human_tokens, erased_sessions
 */
export const COLLECTIONS = {
  /** Written by browsers and the application, by the SHA-256 of the normalized address. */
  signups: 'email_signups',
  /** Written by browsers; read by the roll-up, and deleted by a TTL policy. */
  sessions: 'sessions',
  /** Written by browsers; deleted by a TTL policy. */
  visitors: 'visitors',
  /** The mail queue. Messages to people contain no address. See `mail/message-document.ts` for the ids. */
  mails: 'mails',
  /** By the SHA-256 of the token of a link in an email. */
  personTokens: 'person_tokens',
  /** By their number. */
  inviteWaves: 'invite_waves',
  webhooks: 'webhooks',
  /** One event for one endpoint. Contains no address. */
  webhookDeliveries: 'webhook_deliveries',
  campaigns: 'campaigns',
  /** The last signup that the sweep has checked for a missing state. */
  listProgress: 'list_progress',
  /** When the messages of the last 24 hours to a mailbox were attempted, by the SHA-256 of the mailbox. Outlives the person for as long. */
  mailboxes: 'mailboxes',
  /** Delivery attempts of an hour. */
  mailHours: 'mail_hours',
  /** By the SHA-256 of the id of an erased session: `firestore.rules` denies storing it again. */
  erasedSessions: 'erased_sessions',
  /** By the SHA-256 of the token of a human check: what it was used for. */
  humanTokens: 'human_tokens',
  /** The archive that the dashboard's figures come from: its state and the tallies; and its rows. */
  analytics: 'analytics',
  analyticsParts: 'analytics_parts',
  /** The key of the cursors of lists. */
  keys: 'keys',
  /** Token buckets of the rate limits. */
  throttles: 'throttles',
  /** Who asked for a sign-in link, until the trigger has read it. */
  adminSignInRequests: 'admin_sign_in_requests',
  /** By the SHA-256 of the token of a sign-in link. */
  adminSignInTokens: 'admin_sign_in_tokens',
  /** By the SHA-256 of the cookie's token. */
  adminSessions: 'admin_sessions',
  /** By the SHA-256 of the key. */
  apiKeys: 'api_keys',
  adminAudit: 'admin_audit',
  /** By the SHA-256 of the admin's address. */
  adminSettings: 'admin_settings',
} as const;
