import type { Budget } from 'early-access-server/app';

/** What each caller, and each address of a sign-up, may do. A caller is often a household or an office behind one address. */
export interface Budgets {
  readonly welcomeEmails: Budget;
  readonly signupForms: Budget;
  /** Forms of all callers together, because Hosting's way of naming the visitor can be forged by calling the function itself. */
  readonly allSignupForms: Budget;
  /** Wrong owner's addresses, by caller. */
  readonly wrongOwners: Budget;
  /** Wrong owner's addresses, by all callers together. */
  readonly allWrongOwners: Budget;
  /** Forms that name one address, by all callers together. */
  readonly perEmail: Budget;
  /** Requests for its welcome email, apart from its signups: otherwise they would keep the person from signing up. */
  readonly welcomeEmailsPerEmail: Budget;
}

export const DEFAULT_BUDGETS: Budgets = {
  welcomeEmails: { burst: 60, perMinute: 30 },
  signupForms: { burst: 20, perMinute: 10 },
  allSignupForms: { burst: 120, perMinute: 60 },
  wrongOwners: { burst: 10, perMinute: 1 },
  allWrongOwners: { burst: 100, perMinute: 10 },
  perEmail: { burst: 60, perMinute: 6 },
  welcomeEmailsPerEmail: { burst: 60, perMinute: 6 },
};
