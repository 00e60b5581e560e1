import type { StorageErrorCode } from './errors.ts';

/**
 * The HTTP protocol between the `http` adapter and a server. Bodies are JSON sent as `text/plain`, so that a page on
 * another origin needs no preflight while it is being closed; servers check `Origin` instead. URLs never contain
 * personal data.
 *
 * | request                      | body              | response                                           |
 * |------------------------------|-------------------|----------------------------------------------------|
 * | POST {base}/signups          | EmailSignup       | 201 `{ result: 'created' }` or `'pending'`, 200 `{ result: 'duplicate' }` |
 * | POST {base}/inbox      | `{ email, submission_id, lang }` | 200 Inbox, and the cookie `SIGNUP_KEY` |
 * | POST {base}/share      | `{ email, submission_id, lang }` | 200 `{ share: SharedLink \| null }`; an error if the server has none |
 * | GET {base}/count       | none              | 200 `{ count: number \| null }`; an error if the server shows none |
 * | POST {base}/welcome-email    | `{ email }`       | 202, no body                                       |
 * | POST {base}/sessions         | SessionStart      | 204                                                |
 * | POST {base}/sessions/{id}    | SessionUpdate     | 204                                                |
 * | POST {base}/summary          | `{ admin_email }` | 200 AnalyticsSummary                               |
 * | POST {base}/signup-form      | a form: `email`   | an HTML page (the form's `action` if scripts do not run) |
 *
 * A failed request returns `{ error: { code, message } }` with one of the codes of `StorageError`. If the list does not
 * accept signups now, a signup returns 403 with the code `list-closed`, and adapters reject with `forbidden`.
 */
export const ROUTES = {
  signups: '/signups',
  inbox: '/inbox',
  share: '/share',
  welcomeEmail: '/welcome-email',
  sessions: '/sessions',
  summary: '/summary',
  signupForm: '/signup-form',
} as const;

/**
 * Name of the signup form's hidden field that simple bots fill in. Servers reject a form that contains a value for it.
 */
export const HONEYPOT_FIELD = 'website';

/**
 * The server's cookie with the `submission_id` of the browser's latest unconfirmed signup, so that this browser can
 * confirm on the page `/confirm` without a click.
 */
export const SIGNUP_KEY = 'early_access_signup';

/** The default base path of the routes. */
export const DEFAULT_BASE = '/api';

/** The JSON body of a failed request. */
export interface FailureBody {
  readonly error: {
    readonly code: StorageErrorCode | 'list-closed';
    readonly message: string;
    /** A text for the visitor, in their language, if they can correct the problem. */
    readonly text?: string;
    /** With `list-closed`: the reason, and a page for visitors to go to instead. */
    readonly closed?: {
      readonly reason: 'paused' | 'closed' | 'full';
      /** The address is stored, and signed up once the list opens. */
      readonly is_kept: boolean;
      readonly link?: { readonly url: string; readonly text: string };
    };
  };
}

/** Returns the error code for a status. Ignores the body, which may be a proxy's HTML. */
export function codeOfStatus(status: number): StorageErrorCode {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'forbidden';
  return status >= 400 && status < 500 && status !== 408 ? 'invalid' : 'unavailable';
}

/** The HTTP status of each error. */
export const STATUS_OF_CODE = {
  invalid: 400,
  forbidden: 403,
  'rate-limited': 429,
  unavailable: 503,
} as const satisfies Record<StorageErrorCode, number>;
