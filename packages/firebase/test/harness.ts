import path from 'node:path';
import type { MailTransport } from 'early-access-server/app';
import { afterAll, beforeAll } from 'vitest';
import { type LocalFirebase, startLocalFirebase } from '../src/local/local-firebase.ts';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const PROJECT = 'demo-early-access';
export const ADMIN = 'admin@studio.example';

type Mail = Parameters<MailTransport['deliver']>[0];

/** The product on free ports, shared by the tests of a file, and the emails it has sent. */
export function harness(): { readonly local: LocalFirebase; readonly mails: readonly Mail[] } {
  const mails: Mail[] = [];
  let local: LocalFirebase | undefined;
  beforeAll(async () => {
    local = await startLocalFirebase({
      projectId: PROJECT,
      config: path.join(ROOT, 'site/dist-emulator/firebase.json'),
      root: ROOT,
      ports: { site: 0, firestore: 0, functions: 0 },
      transport: {
        async deliver(mail) {
          mails.push(mail);
          return { outcome: 'sent' };
        },
        async close() {},
      },
      mailFrom: 'Acme <hello@studio.example>',
      adminEmail: ADMIN,
      log: () => {},
    });
  });
  afterAll(() => local?.stop());
  return {
    get local() {
      if (local === undefined) throw new Error('the product runs inside tests only');
      return local;
    },
    mails,
  };
}
