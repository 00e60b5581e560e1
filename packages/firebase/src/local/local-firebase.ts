import './environment.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createFunctions, type Services, serveLocally, welcomeEmails } from '@early-access-kit/firebase';
import { generateRules } from '@early-access-kit/firebase/rules';
import { type FirestoreFake, startFirestoreFake } from '@early-access-kit/firestore-fake';
import type { FieldDeclarations } from 'early-access-kit/core';
import type { InviteOptions, MailOptions } from 'early-access-server';
import {
  type BrandSettings,
  type MailTemplates,
  type MailTransport,
  readBrand,
  type VerifyHuman,
} from 'early-access-server/app';
import { firestoreStore } from 'early-access-server/firestore';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { EMULATORS } from '../../../../scripts/site-settings.ts';
import { readFirebaseJson } from './firebase-json.ts';
import { serveHosting } from './hosting.ts';
import { startTriggers } from './triggers.ts';

export interface LocalFirebaseOptions extends Pick<Services, 'log' | 'rateLimits' | 'webhooks' | 'onSignInLink'> {
  readonly projectId: string;
  /** The `firebase.json` of a local build of the site. */
  readonly config: string;
  /** The folder that its paths are relative to. */
  readonly root: string;
  /** 0 chooses a free port. */
  readonly ports: { readonly site: number; readonly firestore: number; readonly functions: number };
  readonly transport: MailTransport;
  readonly mailFrom: string;
  readonly brand?: BrandSettings;
  readonly templates?: MailTemplates;
  readonly adminEmail: string;
  readonly mailsPerHour?: number;
  readonly summaryMaxAgeMs?: number;
  /** How often the schedules run. Default: every minute. */
  readonly scheduleMs?: number;
  readonly confirm?: boolean;
  readonly invites?: InviteOptions | null;
  readonly language?: MailOptions['language'];
  /** The fields of the form, for the functions and the rules. */
  readonly fields?: FieldDeclarations;
  /** What signups have to pass. Browsers cannot write them then. */
  readonly verifyHuman?: VerifyHuman | null;
}

export interface LocalFirebase {
  /** The site: `http://localhost:PORT`. */
  readonly origin: string;
  readonly fake: FirestoreFake;
  readonly functionsUrl: string;
  /** Makes Firestore and the functions unreachable until `resume`. The data remains. */
  interrupt(): Promise<void>;
  resume(): Promise<void>;
  stop(): Promise<void>;
}

/** The whole product on a local Firebase, without an account. The database is empty at each start. */
export async function startLocalFirebase(options: LocalFirebaseOptions): Promise<LocalFirebase> {
  const {
    projectId,
    root,
    ports,
    transport,
    mailFrom,
    adminEmail,
    log,
    rateLimits,
    webhooks,
    mailsPerHour = 200,
    summaryMaxAgeMs = 60_000,
    scheduleMs = 60_000,
  } = options;
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const config = await readFirebaseJson(options.config);
    const { fields = {}, verifyHuman = null } = options;
    const template = await readFile(path.resolve(root, config.firestore.rules), 'utf8');
    const rules = generateRules(template, { fields, humanCheck: verifyHuman !== null });
    // Set once the site listens; no mail is sent before that.
    let origin = '';

    const triggers = startTriggers({ projectId, scheduleMs, functionUrl: (name) => functions.urlOf(name) });
    const fake = await startFirestoreFake({ projectId, rules, port: ports.firestore, onCreated: triggers.created });
    undo.push(() => fake.stop());

    // The only way to point the Admin SDK at another host.
    process.env.FIRESTORE_EMULATOR_HOST = fake.grpcHost;
    const app = initializeApp({ projectId }, randomUUID());
    undo.push(() => deleteApp(app));
    const firestore = getFirestore(app);

    const { templates = {} } = options;
    const brand = () => readBrand(options.brand ?? {}, new URL(origin));
    const { language, invites = null, confirm = false } = options;
    const store = firestoreStore({ firestore, mailsPerHour, summaryMaxAgeMs, confirm });
    const tree = createFunctions({
      firestore,
      store: () => store,
      invites: () => invites,
      inviteUrl: () => invites?.url ?? null,
      fields: () => fields,
      verifyHuman: () => verifyHuman,
      welcomeEmails: () =>
        welcomeEmails({ store, language, siteUrl: origin, transport, mailFrom, templates, log, brand: brand() }),
      adminEmail: () => adminEmail,
      publicUrl: () => new URL(origin),
      brand,
      // App Check tokens require an account.
      appCheckRequired: () => false,
      log,
      mail: () => ({ transport, from: mailFrom, templates, language }),
      ...(rateLimits && { rateLimits }),
      ...(webhooks && { webhooks }),
      ...(options.onSignInLink && { onSignInLink: options.onSignInLink }),
    });
    let functions = await serveLocally(tree, { projectId, port: ports.functions });
    undo.push(() => functions.close(), triggers.stop);
    const functionsPort = Number(new URL(functions.url).port);

    const functionUrl = (name: string) => functions.urlOf(name);
    const addresses = new Map<string, string>([
      [EMULATORS.firestoreUrl, fake.restUrl],
      [EMULATORS.functionsUrl, functions.url],
    ]);
    const site = await serveHosting({ config: config.hosting, root, port: ports.site, functionUrl, addresses });
    undo.push(site.close);
    origin = `http://localhost:${site.port}`;

    return {
      origin,
      fake,
      functionsUrl: functions.url,
      async interrupt() {
        fake.faults.always({ drop: 'before' });
        await functions.close();
      },
      async resume() {
        functions = await serveLocally(tree, { projectId, port: functionsPort });
        fake.faults.always(null);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
