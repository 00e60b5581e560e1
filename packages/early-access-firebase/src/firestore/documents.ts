/**
 * The documents of the database. Browsers write the first three collections, through `firestoreAdapter` and only as
 * `firestore.rules` allow. The application writes everything else, and no browser may read or write it.
 */
export const COLLECTIONS = {
  /**
   * The id is the SHA-256 of the normalized address. The application adds the state (`list/enrolment.ts`), the place
   * and the share link (`share/credit.ts`), and stores people who unsubscribed as `left-{SHA-256}`.
   */
  signups: 'email_signups',
  /** A session, from its start to its last update. Deleted by a TTL policy. */
  sessions: 'sessions',
  /** When a device last started a session. Deleted by a TTL policy. */
  visitors: 'visitors',

  /** The mail queue. Messages to people contain no address. See `message-document.ts` for the ids. */
  mails: 'mails',
  /** Delivery attempts of an hour. */
  mailHours: 'mail_hours',
  /** The pause of the mail queue; one document at most. */
  mailPause: 'mail_pause',
  /**
   * When the messages of the last 24 hours to a mailbox were attempted, by the SHA-256 of the mailbox. Erasing a person
   * does not delete it before.
   */
  mailboxes: 'mailboxes',
  campaigns: 'campaigns',
  /** Conditions that an admin has given a name. */
  segments: 'segments',
  /** Actions on many people, and the public ids of those they are still about. */
  bulkJobs: 'bulk_jobs',
  bulkParts: 'bulk_parts',
  /** Links in emails. The id is the SHA-256 of the token. */
  personTokens: 'person_tokens',
  /** Imports that have added people, whose documents have its id as `import_id`. */
  imports: 'imports',
  /** The id is the wave's number. */
  inviteWaves: 'invite_waves',
  /** Whether the list accepts signups, which `firestore.rules` read, too; one document at most. */
  listStatus: 'list_status',
  /** People who wait for the list to open. The id is that of their signup. */
  openingRequests: 'opening_requests',
  /** The last signup that the sweep has checked for a missing state. */
  listProgress: 'list_progress',
  /** The key of the cursors of lists. */
  keys: 'keys',

  webhooks: 'webhooks',
  /** One event for one endpoint. Contains no address. */
  webhookDeliveries: 'webhook_deliveries',

  /**
   * The archive that the dashboard's figures are computed from: its state and the tallies here, its rows in
   * `analytics_parts`.
   */
  analytics: 'analytics',
  analyticsParts: 'analytics_parts',

  /** Who asked for a sign-in link, until the trigger has read it. */
  adminSignInRequests: 'admin_sign_in_requests',
  /**
   * The ids of these five are the SHA-256 of the sign-in link's token, the cookie's token, the key, and twice of the
   * address.
   */
  adminSignInTokens: 'admin_sign_in_tokens',
  adminSessions: 'admin_sessions',
  apiKeys: 'api_keys',
  adminSettings: 'admin_settings',
  /** The people whom admins have invited to the dashboard. */
  adminMembers: 'admin_members',
  /** Public data of passkeys. The id is the SHA-256 of the credential's. */
  adminPasskeys: 'admin_passkeys',
  adminAudit: 'admin_audit',

  /** Token buckets of the rate limits. */
  throttles: 'throttles',
  /** The requests of API keys with an `Idempotency-Key`. The id is a digest of that. */
  idempotencyKeys: 'idempotency_keys',
  /** The use of a human check's token. The id is the SHA-256 of the token. */
  humanTokens: 'human_tokens',
  /** `firestore.rules` denies storing an erased session again. The id is the SHA-256 of the session's id. */
  erasedSessions: 'erased_sessions',
} as const;
