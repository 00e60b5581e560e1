import type { Budget } from '../app/access/bucket.ts';

/**
 * What each client, and each address of a sign-up, may do. A client is often a household or an office behind one address; an IPv6 /48 gets
 * more, see `clientNetworks`.
 */
export interface Budgets {
  readonly signups: Budget;
  readonly welcomeEmails: Budget;
  readonly signupForms: Budget;
  readonly sessions: Budget;
  readonly summaries: Budget;
  /** Wrong owner's addresses, by client. */
  readonly wrongOwners: Budget;
  /** Wrong owner's addresses, by all clients together. */
  readonly allWrongOwners: Budget;
  /** Signups that name one address, by all clients together. */
  readonly perEmail: Budget;
  /** Requests for its welcome email, apart from its signups: otherwise they would keep the person from signing up. */
  readonly welcomeEmailsPerEmail: Budget;
}

export const DEFAULT_BUDGETS: Budgets = {
  signups: { burst: 60, perMinute: 30 },
  welcomeEmails: { burst: 60, perMinute: 30 },
  signupForms: { burst: 20, perMinute: 10 },
  sessions: { burst: 300, perMinute: 300 },
  summaries: { burst: 30, perMinute: 30 },
  wrongOwners: { burst: 10, perMinute: 1 },
  allWrongOwners: { burst: 100, perMinute: 10 },
  perEmail: { burst: 60, perMinute: 6 },
  welcomeEmailsPerEmail: { burst: 60, perMinute: 6 },
};
