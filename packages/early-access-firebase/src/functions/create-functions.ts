import { type FieldDeclarations, parseEmail } from 'early-access-kit/core';
import {
  createEarlyAccess,
  type EarlyAccessOptions,
  type InviteOptions,
  type MailEventOptions,
  type MailOptions,
  type ServerTexts,
} from 'early-access-server';
import {
  type Brand,
  type Clock,
  DEFAULT_RATE_LIMITS,
  limitWrongAdmins,
  listUses,
  mailService,
  memoryRateLimiter,
  messageComposer,
  normalizeMailbox,
  type RateLimiter,
  type RateLimits,
  readField,
  requireAdmin,
  type VerifyHuman,
} from 'early-access-server/app';
import type { Firestore } from 'firebase-admin/firestore';
import { onDocumentCreated } from 'firebase-functions/v2/firestore';
import { onCall, onRequest } from 'firebase-functions/v2/https';
import { onSchedule } from 'firebase-functions/v2/scheduler';
import { signupId } from '../firestore/database.ts';
import { COLLECTIONS } from '../firestore/documents.ts';
import type { FirestoreStore } from '../firestore/firestore-store.ts';
import { firestoreRateLimiter } from '../firestore/rate-limiter.ts';
import { type CallSettings, respondToCall } from './callable.ts';
import { readCaller } from './express.ts';
import {
  ADMIN_PATHS,
  hostedRoutes,
  INVITE_PATHS,
  LINK_PATHS,
  MAIL_EVENT_PATHS,
  SIGNUP_PATHS,
} from './hosted-routes.ts';
import { usable, withReasonOnly } from './log.ts';
import { once } from './once.ts';
import {
  DATABASE_ID,
  FUNCTIONS_REGION,
  HUMAN_CHECK_SECRET,
  INVITE_KEY,
  MAIL_EVENTS_SECRET,
  SMTP_URL,
} from './params.ts';
import { SIGN_IN_REQUESTS, storeSignInRequest, takeSignInRequest } from './sign-in-requests.ts';
import { signupForm } from './signup-form.ts';

/** Dependencies of the functions. Functions here may throw and are called when needed, so a wrong setting only affects its users. */
export interface Services extends CallSettings {
  readonly firestore: Firestore;
  readonly store: () => FirestoreStore;
  /** How emails are sent. */
  readonly mail: () => MailOptions;
  /** One address, or several separated by commas. Null: no one may read the analytics summary or open the dashboard. */
  readonly adminEmail: () => string | null;
  readonly publicUrl: () => URL;
  readonly brand: () => Brand;
  /** The host's texts for the pages. */
  readonly texts: () => ServerTexts;
  /** The product that people are invited to, for the routes that redeem invitations. Null: none. */
  readonly invites: () => InviteOptions | null;
  /** The mail provider whose reports of late bounces and complaints are accepted. Null: none. */
  readonly mailEvents: () => MailEventOptions | null;
  /** The page that invitations lead to, for everything else. */
  readonly inviteUrl: () => URL | null;
  /** The fields that the form has besides the address. */
  readonly fields: () => FieldDeclarations;
  /** The human check of signups through the functions. Null: none. */
  readonly verifyHuman: () => VerifyHuman | null;
  readonly clock?: Clock;
  readonly rateLimits?: Partial<RateLimits>;
  /** How events are delivered. Default: only to public addresses. */
  readonly webhooks?: NonNullable<EarlyAccessOptions['webhooks']>;
}

/** Firebase Hosting passes no other cookie on to functions. */
const SESSION_COOKIE = '__session';

/** A sweep may run for nine minutes. It starts no delivery after eight, so that the last one can finish. */
const SWEEP_SECONDS = 540;
const SWEEP_BEGINS_MS = 8 * 60_000;

/**
 * The functions as they are deployed, for `main.ts` to export. Firebase names a function by the path to its export:
 * `send.welcome.email` is `send-welcome-email`; a name with dashes itself could be exported but not called.
 */
export function createFunctions(services: Services) {
  const { firestore, store, adminEmail, publicUrl, brand, fields, verifyHuman, log, clock = Date.now } = services;
  const limits = { ...DEFAULT_RATE_LIMITS, ...services.rateLimits };
  const limiter = memoryFirst(memoryRateLimiter(limits, clock), firestoreRateLimiter(firestore, limits, clock));
  const mailer = once(() => {
    const { transport, ...options } = services.mail();
    const compose = messageComposer({ ...options, brand: brand(), siteUrl: publicUrl().href });
    return mailService({ queue: store().mails, compose, transport, log, clock });
  });
  /** Sends the first message of a signup if it is due. Rejects if the store fails before the message is claimed. */
  const sendFirstMessage = async (id: string) => {
    const { deliver } = mailer();
    await deliver(await store().mails.claim(id));
  };

  // Each application is created at its first use, because settings have no values during the deployment, and of the settings that its
  // routes use: a wrong one must not take the others down.
  const shared = () => ({ store: store(), rateLimiter: limiter, retentionDays: null, log, clock });
  const orNull = <T>(read: () => T) => usable<T | null>(log, read, () => null);
  const anyBrand = () => usable<EarlyAccessOptions['brand']>(log, brand, () => undefined);
  /** If a text cannot be used, the pages have the built-in ones. */
  const withTexts = (more: () => Partial<EarlyAccessOptions>) => {
    const open = (texts?: ServerTexts) => createEarlyAccess({ ...shared(), brand: anyBrand(), texts, ...more() });
    return once(() =>
      usable(
        log,
        () => open(services.texts()),
        () => open(),
      ),
    );
  };
  const signups = withTexts(() => ({ publicUrl: publicUrl(), fields: fields(), verifyHuman: verifyHuman() }));
  /** The product that people are invited to, for all but redeeming. */
  const product = () => {
    const url = services.inviteUrl();
    return url && { url, key: null };
  };
  /** Hosting serves the dashboard, and links to it that a mail filter has changed come here. */
  const linkPages = () => ({ publicUrl: orNull(publicUrl), dashboard: null });
  const links = once(() =>
    usable(
      log,
      withTexts(() => ({ ...linkPages(), invites: orNull(product) })),
      withTexts(linkPages),
    ),
  );
  const invitations = once(() => createEarlyAccess({ ...shared(), invites: services.invites() }));
  const reports = once(() => {
    const mailEvents = services.mailEvents();
    return mailEvents && createEarlyAccess({ ...shared(), mailEvents });
  });
  const administration = (more: Partial<EarlyAccessOptions>) =>
    createEarlyAccess({
      ...shared(),
      adminEmail: orNull(adminEmail),
      fields: usable<FieldDeclarations>(log, fields, () => ({})),
      webhooks: services.webhooks ?? {},
      sessionCookie: SESSION_COOKIE,
      queueSignIn: (email) => storeSignInRequest(firestore, email, clock()),
      ...more,
    });
  /** If a setting of emails cannot be used, they wait, and everything else is done. */
  const admins = once(() =>
    usable(
      log,
      () => {
        return administration({ publicUrl: publicUrl(), brand: brand(), mail: services.mail(), invites: product() });
      },
      () => administration({ publicUrl: orNull(publicUrl), brand: anyBrand() }),
    ),
  );
  // Few instances limit the cost of a flood of calls; low concurrency limits the load on the mail server.
  const common = { region: FUNCTIONS_REGION, memory: '256MiB', maxInstances: 3, timeoutSeconds: 60 } as const;
  const mailing = { ...common, concurrency: 8, secrets: [SMTP_URL] };
  const enrolling = { ...common, secrets: HUMAN_CHECK_SECRET === null ? [] : [HUMAN_CHECK_SECRET] };

  /** Returns null whether or not the address is signed up or already has its email. */
  const sendWelcomeEmail = onCall(mailing, (request) =>
    respondToCall(request, services, async (data) => {
      await limiter.take(listUses('welcomeEmails', readCaller(request.rawRequest)));
      const email = parseEmail(readField(data, 'email'));
      await limiter.take([{ limit: 'welcomeEmailsPerMailbox', key: normalizeMailbox(email) }]);
      await sendFirstMessage(signupId(email));
      return null;
    }),
  );

  const readAnalytics = onCall(common, (request) =>
    respondToCall(request, services, async (data) => {
      const client = readCaller(request.rawRequest);
      await limitWrongAdmins(async (given) => requireAdmin(given, adminEmail()), {
        given: readField(data, 'adminEmail'),
        limiter,
        client,
      });
      return store().readSummary();
    }),
  );

  const submitSignupForm = onRequest(enrolling, signupForm(signups, log));
  /** Accepts signups of pages with a human check, which do not write to Firestore themselves. Without a check it would be a way around App Check. */
  const acceptSignups = onRequest(
    enrolling,
    hostedRoutes([{ paths: SIGNUP_PATHS, app: () => verifyHuman() && signups() }], log, 'signup-failed'),
  );

  /** Sends the email even if the browser never requests it. If the store or a setting fails, Firebase retries for a day. */
  const mailNewSignup = onDocumentCreated(
    { ...mailing, database: DATABASE_ID, document: `${COLLECTIONS.signups}/{id}`, retry: true },
    ({ params }) => withReasonOnly(() => sendFirstMessage(params.id)),
  );

  /** Sends due emails, webhooks and reminders, and resumes interrupted work. */
  const sweepMails = onSchedule(
    { ...mailing, schedule: 'every 5 minutes', maxInstances: 1, timeoutSeconds: SWEEP_SECONDS },
    () =>
      withReasonOnly(async () => {
        const start = clock();
        await store().list.resume({ withinMs: SWEEP_BEGINS_MS });
        await admins().runJobs({ withinMs: SWEEP_BEGINS_MS - (clock() - start) });
      }),
  );

  const admin = onRequest(
    { ...mailing, memory: '1GiB' },
    hostedRoutes([{ paths: ADMIN_PATHS, app: () => publicUrl() && admins() }], log, 'admin-failed'),
  );
  const linkRoutes = [
    { paths: LINK_PATHS, app: links },
    { paths: INVITE_PATHS, app: invitations },
    { paths: MAIL_EVENT_PATHS, app: reports },
  ];
  const secrets = [INVITE_KEY, ...(MAIL_EVENTS_SECRET === null ? [] : [MAIL_EVENTS_SECRET])];
  const openLinks = onRequest({ ...common, secrets }, hostedRoutes(linkRoutes, log, 'links-failed'));

  /** Sends the link, if the address is an admin's. It is not sent twice: the admin can ask for another one. */
  const mailSignInLink = onDocumentCreated(
    { ...mailing, database: DATABASE_ID, document: `${SIGN_IN_REQUESTS}/{id}` },
    ({ params }) =>
      withReasonOnly(async () => {
        services.mail();
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

/** Refuses a flood by its first limit in memory, before it costs reads or waits for the documents of the others. */
function memoryFirst<Name extends string>(memory: RateLimiter<Name>, stored: RateLimiter<Name>): RateLimiter<Name> {
  return {
    async take(uses) {
      await memory.take(uses);
      await stored.take(uses);
    },
    async giveBack(uses) {
      await memory.giveBack(uses);
      await stored.giveBack(uses);
    },
  };
}
