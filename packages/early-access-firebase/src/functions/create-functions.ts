import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { parseEmail } from 'early-access-kit/internal';
import {
  admit,
  inTime,
  limitWrongAdmins,
  listUses,
  normalizeMailbox,
  REFUSALS,
  readField,
  requireAdmin,
  runEach,
} from 'early-access-server/internal';
import { onDocumentCreated } from 'firebase-functions/v2/firestore';
import { HttpsError, onCall, onRequest, type Request } from 'firebase-functions/v2/https';
import { beforeUserCreated } from 'firebase-functions/v2/identity';
import { onSchedule } from 'firebase-functions/v2/scheduler';
import { signupId } from '../firestore/database.ts';
import { COLLECTIONS } from '../firestore/documents.ts';
import { type Applications, type Instance, openApplications, openInstance, type Services } from './applications.ts';
import { isAttested, respondToCall } from './callable.ts';
import { readCaller } from './express.ts';
import {
  ADMIN_PATHS,
  FORM_PAGE_PATHS,
  INVITE_PATHS,
  LINK_PATHS,
  MAIL_EVENT_PATHS,
  PAGE_PATHS,
  SIGNUP_PATHS,
  STATUS_PATHS,
} from './hosted-paths.ts';
import { hostedRoutes } from './hosted-routes.ts';
import { toReason, withReasonOnly } from './log.ts';
import { reportSecrets } from './parameter-file.ts';
import { DATABASE_ID, FUNCTIONS_REGION, HUMAN_CHECK_SECRET, INVITE_KEY, MIN_INSTANCES, SMTP_URL } from './params.ts';
import { SIGN_IN_REQUESTS, takeSignInRequest } from './sign-in-requests.ts';
import { signupForm } from './signup-form.ts';

/** For functions that count sessions, and for all others. `memory.test.ts` measures the requirements. */
export const MEMORY = { archive: '1GiB', others: '256MiB' } as const;

/** A sweep may run for nine minutes. It starts no delivery after eight, so that the last one can finish. */
const SWEEP_SECONDS = 540;
const SWEEP_BEGINS_MS = 8 * 60_000;

// Few instances limit the cost of a flood of calls; low concurrency limits the load on the mail server.
const COMMON = { region: FUNCTIONS_REGION, memory: MEMORY.others, maxInstances: 3, timeoutSeconds: 60 } as const;
const MAILING = { ...COMMON, concurrency: 8, secrets: [SMTP_URL] };
const ENROLLING = { ...COMMON, secrets: HUMAN_CHECK_SECRET === null ? [] : [HUMAN_CHECK_SECRET] };
// Firebase waits at most seven seconds.
const GATING = { ...COMMON, timeoutSeconds: 7 };
const PROMPT = { ...ENROLLING, minInstances: MIN_INSTANCES };
const SCHEDULED = {
  schedule: 'every 5 minutes',
  maxInstances: 1,
  memory: MEMORY.archive,
  timeoutSeconds: SWEEP_SECONDS,
} as const;

/**
 * The functions for `main.ts` to export. Firebase names a function by the path to its export: `send.welcome.email` is
 * `send-welcome-email`. An export with dashes in its own name could not be called.
 */
export function createFunctions(services: Services) {
  const instance = openInstance(services);
  const applications = openApplications(instance);
  return {
    admin: admin(instance, applications),
    links: links(instance, applications),
    send: { welcome: { email: sendWelcomeEmail(instance, applications) } },
    read: { analytics: readAnalytics(instance) },
    submit: { signup: { form: onRequest(ENROLLING, signupForm(applications.signups, instance.log)) } },
    accept: { signups: acceptSignups(instance, applications) },
    mail: {
      new: { signup: mailNewSignup(instance, applications) },
      sign: { in: { link: mailSignInLink(instance, applications) } },
    },
    roll: { up: { analytics: rollUpAnalytics(instance) } },
    sweep: { mails: sweepMails(instance, applications) },
    ...(services.gateSignUps === true && { gate: { sign: { ups: gateSignUps(instance) } } }),
  };
}

function admin({ publicUrl, log }: Instance, { admins }: Applications) {
  const routes = [{ paths: ADMIN_PATHS, app: () => publicUrl() && admins() }];
  return onRequest({ ...MAILING, memory: MEMORY.archive }, hostedRoutes(routes, log, 'admin-failed'));
}

function links({ log }: Instance, applications: Applications) {
  const routes = [
    // Includes links to the dashboard that a mail filter has changed.
    { paths: [...LINK_PATHS, ...STATUS_PATHS, '/admin'], app: applications.links },
    { paths: INVITE_PATHS, app: applications.invitations },
    { paths: MAIL_EVENT_PATHS, app: applications.reports },
  ];
  return onRequest({ ...COMMON, secrets: [INVITE_KEY, ...reportSecrets()] }, hostedRoutes(routes, log, 'links-failed'));
}

/** Returns null whether or not the address is signed up or already has its email, to reveal nothing about it. */
function sendWelcomeEmail(instance: Instance, applications: Applications) {
  const { limiter } = instance;
  return onCall(MAILING, (request) =>
    respondToCall(request, instance, async (data) => {
      await limiter.take(listUses('welcomeEmails', readCaller(request.rawRequest)));
      const email = parseEmail(readField(data, 'email'));
      await limiter.take([{ limit: 'welcomeEmailsPerMailbox', key: normalizeMailbox(email) }]);
      await sendFirstMessage(instance, applications, signupId(email));
      return null;
    }),
  );
}

function readAnalytics(instance: Instance) {
  const { limiter, adminEmail, store } = instance;
  return onCall(COMMON, (request) =>
    respondToCall(request, instance, async (data) => {
      const client = readCaller(request.rawRequest);
      const attempt = { given: readField(data, 'adminEmail'), limiter, client };
      await limitWrongAdmins(async (given) => requireAdmin(given, adminEmail()), attempt);
      return store().readSummary();
    }),
  );
}

/** Stores signups of pages, and serves the other routes that pages and forms need. */
function acceptSignups(instance: Instance, { signups }: Applications) {
  const routes = [
    { paths: SIGNUP_PATHS, app: signups, admits: (request: Request) => isAttested(request, instance) },
    { paths: [...PAGE_PATHS, ...FORM_PAGE_PATHS], app: signups },
  ];
  return onRequest(PROMPT, hostedRoutes(routes, instance.log, 'signup-failed'));
}

/**
 * Sends the email even if the browser never requests it. If the store or a setting fails, Firebase retries for a day.
 * Also triggered by imported people, whose emails the sweep sends.
 */
function mailNewSignup(instance: Instance, applications: Applications) {
  const document = `${COLLECTIONS.signups}/{id}` as const;
  return onDocumentCreated({ ...MAILING, database: DATABASE_ID, document, retry: true }, ({ params, data }) =>
    withReasonOnly(async () => {
      if (data?.get('imported') !== true) await sendFirstMessage(instance, applications, params.id);
    }),
  );
}

/** Sends the first message of a signup if it is due. Rejects if the store fails before the message is claimed. */
async function sendFirstMessage({ store }: Instance, { mailer }: Applications, id: string): Promise<void> {
  const { deliver } = mailer();
  await deliver(await store().mails.claim(id));
}

/** Sends the link if the address is an admin's. Never retried: the admin can request another one. */
function mailSignInLink({ mail, firestore, clock }: Instance, { admins }: Applications) {
  const document = `${SIGN_IN_REQUESTS}/{id}` as const;
  return onDocumentCreated({ ...MAILING, database: DATABASE_ID, document }, ({ params }) =>
    withReasonOnly(async () => {
      mail();
      const email = await takeSignInRequest(firestore, params.id, clock());
      if (email !== null) await admins().deliverSignIn(email);
    }),
  );
}

/**
 * Only lets invited people create an account, and records that they have joined. If this fails or times out, Firebase
 * does not create the account.
 */
function gateSignUps({ store, log }: Instance) {
  return beforeUserCreated(GATING, async ({ data }) => {
    const { result } = await inTime(admitAddress(store, data?.email)).catch((error: unknown) => {
      log('error', 'sign-up-not-checked', { reason: toReason(error) });
      return { result: 'failed' as const };
    });
    if (result === 'admitted') return;
    const { code, message } = REFUSALS[result];
    throw new HttpsError(result === 'failed' ? 'unavailable' : 'permission-denied', message, { code });
  });
}

async function admitAddress(store: Instance['store'], email: string | undefined) {
  const address = email !== undefined && isValidEmail(email) ? normalizeEmail(email) : null;
  return admit(store().list, { email: address });
}

function rollUpAnalytics({ store }: Instance) {
  return onSchedule({ ...COMMON, ...SCHEDULED }, () =>
    withReasonOnly(() => store().analytics.rollUp({ withinMs: SWEEP_BEGINS_MS })),
  );
}

/** Sends due emails, webhooks and reminders, and resumes interrupted work. */
function sweepMails({ store, clock }: Instance, { admins }: Applications) {
  return onSchedule({ ...MAILING, ...SCHEDULED }, () =>
    withReasonOnly(() => {
      const start = clock();
      return runEach([
        async () => store().list.resume({ withinMs: SWEEP_BEGINS_MS }),
        async () => admins().runJobs({ withinMs: SWEEP_BEGINS_MS - (clock() - start) }),
      ]);
    }),
  );
}
