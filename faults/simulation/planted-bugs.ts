/**
 * A bug that the simulator has to find. The text is replaced while a file is loaded; the product's files are unchanged.
 */
export interface PlantedBug {
  readonly name: string;
  readonly patches: readonly Patch[];
}

interface Patch {
  /** Must occur exactly once in the source of `early-access-server`, in any file. */
  readonly find: string;
  readonly replace: string;
}

const bug = (name: string, find: string, replace: string): PlantedBug => ({
  name,
  patches: [{ find, replace }],
});

export const PLANTED_BUGS: readonly PlantedBug[] = [
  bug(
    'acknowledges before the commit',
    `const callbacks = inTransaction(db, () => members.map(attempt));
    for (const notify of callbacks) notify();`,
    `inTransaction(db, () => {
      for (const notify of members.map(attempt)) notify();
    });`,
  ),
  bug(
    'does not wait until a commit is on disk',
    'PRAGMA synchronous = FULL;\n      PRAGMA cache_size',
    'PRAGMA synchronous = NORMAL;\n      PRAGMA cache_size',
  ),
  bug('leaves a failed transaction open', "if (db.isTransaction) db.exec('ROLLBACK');", ''),
  bug(
    'sends an email again whose outcome is unknown',
    "if (result.outcome === 'unknown') return { state: 'unknown', reason };",
    "if (result.outcome === 'unknown') return { state: 'queued', retryAt: now + retryDelay(attempts), reason };",
  ),
  bug(
    'claims an email that another process is sending',
    "WHERE mails.state = 'queued' AND next_attempt_at <= ?",
    "WHERE mails.state IN ('queued', 'sending') AND next_attempt_at <= ?",
  ),
  bug(
    'queues an email again when the process that was sending it has ended',
    "state: 'unknown',\n    reason: 'the sending process",
    "state: 'queued',\n    next_attempt_at: now,\n    reason: 'the sending process",
  ),
  bug(
    'leaves the queue of a person who is erased',
    'enableForeignKeyConstraints: true',
    'enableForeignKeyConstraints: false',
  ),
  bug('leaves an erased session in the sums of its hour', 'WHERE hour = old.session_start / 3600000;', 'WHERE false;'),
  bug(
    'counts an update of a session as a new session',
    'WHERE hour = new.session_start / 3600000;',
    ', sessions = sessions + 1 WHERE hour = new.session_start / 3600000;',
  ),
  bug(
    'stores an erased session again when its page sends an update',
    'if (findErased.get(sha256(start.id)) !== undefined) return;',
    '',
  ),
  bug(
    'counts a signup twice whose response was lost',
    'if (submissions.includes(signup.submission_id)) return signupResult(state, confirm);',
    `if (submissions.includes(signup.submission_id)) {
          run(recordEvents('signup.created', [toPersonOfEvent(stored)], now));
          return 'created';
        }`,
  ),
  {
    name: 'lets an invitation be redeemed twice',
    patches: [
      { find: "yield* changeStates([id], 'redeem', 'invite', now);", replace: '' },
      { find: "yield* markTokensUsed(id, 'invite', now);", replace: '' },
    ],
  },
  {
    name: 'begins a launch again when it is resumed',
    patches: [
      {
        find: 'UPDATE @campaigns SET state = $',
        replace: 'UPDATE @campaigns SET position = 0, state = $',
      },
      {
        find: 'CREATE UNIQUE INDEX mails_by_campaign ON @mails',
        replace: 'CREATE INDEX mails_by_campaign ON @mails',
      },
    ],
  },
  {
    name: 'forgets how far the series has come',
    patches: [
      { find: 'SET reached_at = $', replace: 'SET reached_at = reached_at - 0 * $' },
      { find: 'AND own.signup_id = signup.id) AS has_message', replace: 'AND false) AS has_message' },
      {
        find: 'CREATE UNIQUE INDEX mails_by_campaign ON @mails',
        replace: 'CREATE INDEX mails_by_campaign ON @mails',
      },
    ],
  },
  bug(
    'sends an event again that a receiver has confirmed',
    'if (next !== null) yield* saveDelivery',
    "if (next !== null && next.state !== 'sent') yield* saveDelivery",
  ),
];
