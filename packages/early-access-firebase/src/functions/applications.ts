import type { FieldDeclarations } from 'early-access-kit/core';
import {
  createEarlyAccess,
  type EarlyAccess,
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
  mailService,
  memoryRateLimiter,
  messageComposer,
  type RateLimiter,
  type RateLimits,
  type RateLimitUse,
  type readPublicRoutes,
  type ShareOptions,
  UNBUILT_SITE,
  type VerifyHuman,
} from 'early-access-server/internal';
import type { Firestore } from 'firebase-admin/firestore';
import type { FirestoreStore } from '../firestore/firestore-store.ts';
import { firestoreRateLimiter } from '../firestore/rate-limiter.ts';
import type { Attestation, CallSettings } from './callable.ts';
import { HOSTED_PATHS, isOneOf } from './hosted-paths.ts';
import { usable } from './log.ts';
import { once } from './once.ts';
import { storeSignInRequest } from './sign-in-requests.ts';

/**
 * Dependencies of the functions. Those that are functions may throw, so that a wrong setting only affects its users.
 */
export interface Services extends CallSettings, Attestation {
  readonly firestore: Firestore;
  readonly store: () => FirestoreStore;
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
  /** How share links work. Null: there are none. */
  readonly share: () => ShareOptions | null;
  /** The page that invitations lead to, for all other purposes. */
  readonly inviteUrl: () => URL | null;
  /** The form's fields besides the address. */
  readonly fields: () => FieldDeclarations;
  /** Settings of the public routes. */
  readonly publicRoutes: () => PublicRoutes;
  /** The human check of signups through the functions. Null: none. */
  readonly verifyHuman: () => VerifyHuman | null;
  /** Only invited people may create an account in Firebase Authentication. Known when the functions are loaded. */
  readonly gateSignUps?: boolean;
  readonly clock?: Clock;
  readonly rateLimits?: Partial<RateLimits>;
  /** How events are delivered. Default: only to public addresses. */
  readonly webhooks?: NonNullable<EarlyAccessOptions['webhooks']>;
}

/** The options that `readPublicRoutes` reads. */
export type PublicRoutes = Pick<EarlyAccessOptions, keyof ReturnType<typeof readPublicRoutes>>;

/** The only cookie that Firebase Hosting forwards to functions. */
const SESSION_COOKIE = '__session';

/** The services of a function's instance, and its rate limits. */
export interface Instance extends Services {
  readonly clock: Clock;
  readonly limiter: RateLimiter<keyof RateLimits>;
}

export function openInstance(services: Services): Instance {
  const { firestore, clock = Date.now } = services;
  const limits = { ...DEFAULT_RATE_LIMITS, ...services.rateLimits };
  const limiter = memoryFirst(memoryRateLimiter(limits, clock), firestoreRateLimiter(firestore, limits, clock));
  return { ...services, clock, limiter };
}

/**
 * The applications of an instance. Each is created at its first use, because settings have no values during deployment,
 * and only with the settings that its routes use, so that a wrong one does not affect the others.
 */
export function openApplications(instance: Instance) {
  return {
    signups: once(() => signupApplication(instance)),
    links: once(() => linkApplication(instance)),
    invitations: once(() => createApplication(instance, { invites: instance.invites() ?? undefined })),
    reports: once(() => reportApplication(instance)),
    admins: once(() => adminApplication(instance)),
    mailer: once(() => openMailer(instance)),
  };
}
export type Applications = ReturnType<typeof openApplications>;

function createApplication({ store, limiter, log, clock }: Instance, more: Partial<EarlyAccessOptions>): EarlyAccess {
  return createEarlyAccess({ store: store(), rateLimiter: limiter, retentionDays: 'by-database', log, clock, ...more });
}

/** An application with pages. If a text is invalid, the built-in ones are used. */
function pageApplication(instance: Instance, more: () => Partial<EarlyAccessOptions>): EarlyAccess {
  const open = (texts?: ServerTexts) => createApplication(instance, { brand: anyBrand(instance), texts, ...more() });
  return usable(
    instance.log,
    () => open(instance.texts()),
    () => open(),
  );
}

function signupApplication(instance: Instance): EarlyAccess {
  const { publicUrl, fields, verifyHuman, publicRoutes } = instance;
  return pageApplication(instance, () => ({
    ...publicRoutes(),
    publicUrl: publicUrl(),
    fields: fields(),
    verifyHuman: verifyHuman() ?? undefined,
  }));
}

/** Hosting serves the dashboard itself, but links to it that a mail filter has changed come here. */
function linkApplication(instance: Instance): EarlyAccess {
  const pages = () => ({
    ...orUndefined(instance, instance.publicRoutes),
    publicUrl: orUndefined(instance, instance.publicUrl),
    share: orUndefined(instance, instance.share),
    dashboard: UNBUILT_SITE,
    fields: readableFields(instance),
  });
  const invites = () => orUndefined(instance, () => readProduct(instance));
  return usable(
    instance.log,
    () => pageApplication(instance, () => ({ ...pages(), invites: invites() })),
    () => pageApplication(instance, pages),
  );
}

/** Null if no mail provider's reports are accepted. */
function reportApplication(instance: Instance): EarlyAccess | null {
  const mailEvents = instance.mailEvents();
  return mailEvents && createApplication(instance, { mailEvents });
}

/** If a mail setting is invalid, emails wait and everything else works. */
function adminApplication(instance: Instance): EarlyAccess {
  const { publicUrl, brand, mail, log } = instance;
  const open = (more: Partial<EarlyAccessOptions>) =>
    createApplication(instance, { ...adminOptions(instance), ...more });
  return usable(
    log,
    () => open({ publicUrl: publicUrl(), brand: brand(), mail: mail(), invites: readProduct(instance) }),
    () => open({ publicUrl: orUndefined(instance, publicUrl), brand: anyBrand(instance) }),
  );
}

function adminOptions(instance: Instance): Partial<EarlyAccessOptions> {
  const { firestore, clock, adminEmail, publicRoutes, webhooks = {} } = instance;
  return {
    ...orUndefined(instance, publicRoutes),
    adminEmail: orUndefined(instance, adminEmail),
    share: orUndefined(instance, instance.share),
    fields: readableFields(instance),
    webhooks,
    sessionCookie: SESSION_COOKIE,
    queueSignIn: (email) => storeSignInRequest(firestore, email, clock()),
    isReached: (path) => isOneOf(path, Object.values(HOSTED_PATHS).flat()),
  };
}

function openMailer(instance: Instance) {
  const { mail, brand, publicUrl, store, log, clock } = instance;
  const { transport, ...options } = mail();
  const site = { brand: brand(), siteUrl: publicUrl().href, statusPage: hasStatusPage(instance) };
  const compose = messageComposer({ ...options, ...site, fields: readableFields(instance) });
  return mailService({ queue: store().mails, compose, transport, log, clock });
}

/** The product that people are invited to, for everything except redeeming invitations. */
function readProduct({ inviteUrl }: Instance): InviteOptions | undefined {
  const url = inviteUrl();
  return url === null ? undefined : { url };
}

function orUndefined<T>({ log }: Instance, read: () => T | null | undefined): T | undefined {
  return usable<T | undefined>(
    log,
    () => read() ?? undefined,
    () => undefined,
  );
}

function readableFields({ log, fields }: Instance): FieldDeclarations {
  return usable<FieldDeclarations>(log, fields, () => ({}));
}

function hasStatusPage(instance: Instance): boolean {
  return orUndefined(instance, instance.publicRoutes)?.statusPage ?? false;
}

function anyBrand({ log, brand }: Instance): EarlyAccessOptions['brand'] {
  return usable<EarlyAccessOptions['brand']>(log, brand, () => undefined);
}

/** Limits that are only counted per instance, because their documents would cost more than the sessions. */
const OF_INSTANCES: ReadonlySet<string> = new Set<keyof RateLimits>(['sessions', 'sessionBytes', 'allSessionBytes']);

/** Checks the first limit in memory, before a flood costs reads or waits for the documents of other limits. */
function memoryFirst<Name extends string>(memory: RateLimiter<Name>, stored: RateLimiter<Name>): RateLimiter<Name> {
  const shared = (uses: readonly RateLimitUse<Name>[]) => uses.filter(({ limit }) => !OF_INSTANCES.has(limit));
  return {
    async take(uses) {
      await memory.take(uses);
      if (shared(uses).length > 0) await stored.take(shared(uses));
    },
    async giveBack(uses) {
      await memory.giveBack(uses);
      if (shared(uses).length > 0) await stored.giveBack(shared(uses));
    },
  };
}
