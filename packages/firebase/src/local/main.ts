import path from 'node:path';
import { fileTransport, readInvites, readTemplates, SETTINGS } from 'early-access-server/app';
import { EMULATORS } from '../../../../scripts/site-settings.ts';
import { startLocalFirebase } from './local-firebase.ts';

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const { env, stdout, stderr } = process;

const adminEmail = env.ADMIN_EMAIL || 'admin@example.com';
const mailFolder = path.resolve(env.DATA_DIR || path.join(ROOT, 'data'), 'firebase-mail');
// The files contain email addresses, so only the current user may read them.
process.umask(0o077);

try {
  const local = await startLocalFirebase({
    projectId: EMULATORS.projectId,
    config: path.join(ROOT, 'site/dist-emulator/firebase.json'),
    root: ROOT,
    ports: {
      site: Number(env.PORT || 4173),
      firestore: Number(env.FIRESTORE_PORT || 0),
      functions: Number(env.FUNCTIONS_PORT || 0),
    },
    transport: fileTransport({ folder: mailFolder }),
    mailFrom: env.MAIL_FROM || 'Early access <hello@example.com>',
    brand: env,
    ...(env.MAIL_TEMPLATES && { templates: readTemplates(path.resolve(env.MAIL_TEMPLATES)) }),
    adminEmail,
    confirm: SETTINGS.CONFIRM.read(env) ?? false,
    invites: readInvites(env),
    webhooks: { allowLocal: SETTINGS.WEBHOOK_ALLOW_LOCAL.read(env) ?? false },
    language: SETTINGS.MAIL_LANGUAGE.read(env) ?? undefined,
    onSignInLink: (link) => stdout.write(`Sign in    ${link}\n`),
    log: (level, event, fields) => stderr.write(`${JSON.stringify({ level, event, ...fields })}\n`),
  });

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void local.stop();
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);

  stdout.write(`Serving    ${local.origin}
Firestore  ${local.fake.restUrl} (a fake, in memory: empty again at the next start)
Functions  ${local.functionsUrl}
Mail       ${mailFolder} (.eml files)
Admin      ${adminEmail} (Ctrl+Alt+A, or ${local.origin}/admin/)
`);
} catch (error) {
  stderr.write(`early-access-kit: ${error instanceof Error ? error.message : String(error)}\n`);
  stderr.write('PORT, FIRESTORE_PORT and FUNCTIONS_PORT choose other ports.\n');
  process.exitCode = 1;
}
