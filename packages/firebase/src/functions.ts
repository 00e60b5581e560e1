import { type FieldDeclarations, parseEmail } from 'early-access-kit/core';
import {
  createEarlyAccess,
  type EarlyAccess,
  type EarlyAccessOptions,
  type InviteOptions,
  type MailOptions,
} from 'early-access-server';
import {
  type Brand,
  type ClientNetwork,
  type Clock,
  checkAdmin,
  clientNetworks,
  DEFAULT_RATE_LIMITS,
  fieldOf,
  type Log,
  type RateLimits,
  usesOf,
  type VerifyHuman,
} from 'early-access-server/app';
import { COLLECTIONS, type FirestoreStore, firestoreRateLimiter, signupId } from 'early-access-server/firestore';
import type { Firestore } from 'firebase-admin/firestore';
import { onDocumentCreated } from 'firebase-functions/v2/firestore';
import { type CallableRequest, onCall, onRequest } from 'firebase-functions/v2/https';
import { onSchedule } from 'firebase-functions/v2/scheduler';
import { respondToCall } from './callable.ts';
import { ADMIN_PATHS, hostedRoutes, LINK_PATHS, SIGNUP_PATHS } from './hosted-routes.ts';
import { withReasonOnly } from './log.ts';
import { FUNCTIONS_REGION, HUMAN_CHECK_SECRET, INVITE_KEY, SMTP_URL } from './params.ts';
import { SIGN_IN_REQUESTS, storeSignInRequest, takeSignInRequest } from './sign-in-requests.ts';
import { signupForm } from './signup-form.ts';
import type { WelcomeEmails } from './welcome-emails.ts';

/** The dependencies of the functions. Those that can throw are called when needed, so that a wrong setting only affects what needs it. */
export interface Services {
  readonly firestore: Firestore;
  readonly store: () => FirestoreStore;
  readonly welcomeEmails: () => WelcomeEmails;
  /** How emails to admins are sent. */
  readonly mail: () => MailOptions;
  /** One address, or several separated by commas. Null: no one may read the analytics summary or open the dashboard. */
  readonly adminEmail: () => string | null;
  readonly publicUrl: () => URL;
  readonly brand: () => Brand;
  /** The product that people are invited to. Null: none. */
  readonly invites: () => InviteOptions | null;
  /** The fields that the form has besides the address. */
  readonly fields: () => FieldDeclarations;
  /** What signups through the functions have to pass. Null: nothing. */
  readonly verifyHuman: () => VerifyHuman | null;
  /** Whether calls without a valid App Check token are refused. */
  readonly appCheckRequired: () => boolean;
  readonly log: Log;
  readonly clock?: Clock;
  readonly rateLimits?: Partial<RateLimits>;
  /** How events are delivered. Default: only to public addresses. */
  readonly webhooks?: NonNullable<EarlyAccessOptions['webhooks']>;
  /** Also gets every sign-in link, to print it on a local run. */
  readonly onSignInLink?: (link: string) => void;
}

/** Firebase Hosting passes no other cookie on to functions. */
const SESSION_COOKIE = '__session';

/** Google's front end appends its caller's address. If that caller is Firebase Hosting, the visitor's address comes before it. */
const HOPS_DIRECTLY = 1;
const HOPS_THROUGH_HOSTING = 2;

/** Hosting's header that names the visitor can be forged by calling the function itself. */
const FIREBASE_RATE_LIMITS: RateLimits = { ...DEFAULT_RATE_LIMITS, allSignupForms: { burst: 120, perMinute: 60 } };

/** A sweep may run for nine minutes. It starts no delivery after eight, so that the last one can finish. */
const SWEEP_SECONDS = 540;
const SWEEP_BEGINS_MS = 8 * 60_000;

/**
 * The functions as they are deployed, for `main.ts` to export. Firebase names a function by the path to its export:
 * `send.welcome.email` is `send-welcome-email`; a name with dashes itself could be exported but not called.
 */
export function createFunctions({
  firestore,
  store,
  welcomeEmails,
  adminEmail,
  publicUrl,
  brand,
  appCheckRequired,
  log,
  clock = Date.now,
  rateLimits = {},
  mail,
  invites,
  fields,
  verifyHuman,
  webhooks = {},
  onSignInLink = () => {},
}: Services) {
  const limiter = firestoreRateLimiter(firestore, { ...FIREBASE_RATE_LIMITS, ...rateLimits }, clock);
  const calls = { log, appCheckRequired };
  /** Creates an application at its first use, because settings have no values during the deployment. */
  function application(more: () => Partial<EarlyAccessOptions>): () => EarlyAccess {
    let app: EarlyAccess | undefined;
    return () => {
      app ??= createEarlyAccess({
        store: store(),
        publicUrl: publicUrl(),
        brand: brand(),
        fields: fields(),
        trustProxy: HOPS_THROUGH_HOSTING,
        rateLimiter: limiter,
        retentionDays: null,
        log,
        clock,
        ...more(),
      });
      return app;
    };
  }
  const signups = application(() => ({ verifyHuman: verifyHuman() }));
  const links = application(() => ({ invites: invites() }));
  const admins = application(() => ({
    adminEmail: adminEmail(),
    mail: mail(),
    invites: invites(),
    webhooks,
    sessionCookie: SESSION_COOKIE,
    queueSignIn: (email) => storeSignInRequest(firestore, email, clock()),
    onSignInLink,
  }));
  // Few instances limit the cost of a flood of calls; low concurrency limits the load on the mail server.
  const common = { region: FUNCTIONS_REGION, memory: '256MiB', maxInstances: 3, timeoutSeconds: 60 } as const;
  const mailing = { ...common, concurrency: 8, secrets: [SMTP_URL] };
  const enrolling = { ...common, secrets: HUMAN_CHECK_SECRET === null ? [] : [HUMAN_CHECK_SECRET] };
  const administering = { ...mailing, secrets: [SMTP_URL, INVITE_KEY] };

  /** Returns null whether or not the address is signed up or already has its email. */
  const sendWelcomeEmail = onCall(mailing, (request) =>
    respondToCall(request, calls, async (data) => {
      await limiter.take(usesOf('welcomeEmails', clientOf(request)));
      const email = parseEmail(fieldOf(data, 'email'));
      await limiter.take([{ limit: 'welcomeEmailsPerAddress', key: email }]);
      await welcomeEmails().send(signupId(email));
      return null;
    }),
  );

  const readAnalytics = onCall(common, (request) =>
    respondToCall(request, calls, async (data) => {
      const client = clientOf(request);
      await checkAdmin({ given: fieldOf(data, 'adminEmail'), adminEmail: adminEmail(), limiter, client });
      return store().readSummary();
    }),
  );

  const submitSignupForm = onRequest(enrolling, signupForm(signups, log));
  /** For pages with a human check, which do not write to Firestore themselves. */
  const acceptSignups = onRequest(enrolling, hostedRoutes(SIGNUP_PATHS, signups, { log, failure: 'signup-failed' }));

  /** Sends the email even if the browser never requests it. If the store or a setting fails, Firebase retries for a day. */
  const mailNewSignup = onDocumentCreated(
    { ...mailing, document: `${COLLECTIONS.signups}/{id}`, retry: true },
    ({ params }) => withReasonOnly(async () => welcomeEmails().send(params.id)),
  );

  /** Everything that is due: emails, webhooks, reminders, and whatever was interrupted. */
  const sweepMails = onSchedule(
    { ...administering, schedule: 'every 5 minutes', maxInstances: 1, timeoutSeconds: SWEEP_SECONDS },
    () =>
      withReasonOnly(async () => {
        const start = clock();
        await store().list.resume({ withinMs: SWEEP_BEGINS_MS });
        await admins().runJobs({ withinMs: SWEEP_BEGINS_MS - (clock() - start) });
      }),
  );

  const admin = onRequest(
    { ...administering, memory: '1GiB' },
    hostedRoutes(ADMIN_PATHS, admins, { log, failure: 'admin-failed' }),
  );
  const openLinks = onRequest(
    { ...common, secrets: [INVITE_KEY] },
    hostedRoutes(LINK_PATHS, links, { log, failure: 'links-failed' }),
  );

  /** Sends the link, if the address is an admin's. It is not sent twice: the admin can ask for another one. */
  const mailSignInLink = onDocumentCreated({ ...administering, document: `${SIGN_IN_REQUESTS}/{id}` }, ({ params }) =>
    withReasonOnly(async () => {
      const email = await takeSignInRequest(firestore, params.id, clock());
      if (email !== null) await admins().deliverSignIn(email);
    }),
  );

  const rollUpAnalytics = onSchedule(
    { ...common, schedule: 'every 5 minutes', maxInstances: 1, memory: '1GiB', timeoutSeconds: SWEEP_SECONDS },
    () => withReasonOnly(() => store().analytics.rollUp({ withinMs: SWEEP_BEGINS_MS })),
  );

  return {
    admin,
    links: openLinks,
    send: { welcome: { email: sendWelcomeEmail } },
    read: { analytics: readAnalytics },
    submit: { signup: { form: submitSignupForm } },
    accept: { signups: acceptSignups },
    mail: {
      new: { signup: mailNewSignup },
      sign: { in: { link: mailSignInLink } },
    },
    roll: { up: { analytics: rollUpAnalytics } },
    sweep: { mails: sweepMails },
  };
}

function clientOf({ rawRequest }: CallableRequest): readonly ClientNetwork[] {
  const { remoteAddress } = rawRequest.socket;
  return clientNetworks({ remoteAddress, forwardedFor: rawRequest.header('x-forwarded-for') }, HOPS_DIRECTLY);
}
