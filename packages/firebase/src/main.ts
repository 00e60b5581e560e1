import { smtpTransport } from 'early-access-server/app';
import { initializeApp } from 'firebase-admin/app';
import { getFirestore } from 'firebase-admin/firestore';
import { cloudLog } from './cloud-log.ts';
import { createFunctions } from './functions.ts';
import { type MailRoom, mailRoom } from './mails/mail-room.ts';
import { ADMIN_EMAIL, ENFORCE_APP_CHECK, MAIL_FROM, MAILS_PER_HOUR, PUBLIC_URL, SMTP_URL } from './params.ts';
import { checkMailSettings, readAdminEmail, readPublicUrl } from './settings.ts';

/** Within the time of a function, so that the outcome of every delivery is known and kept. */
const DELIVERY_TIMEOUT_MS = 40_000;

const firestore = getFirestore(initializeApp());
let room: MailRoom | undefined;

/** Made at the first mail: parameters and secrets have no values while the functions are being deployed. */
function openMailRoom(): MailRoom {
  const { smtpUrl, ...settings } = checkMailSettings({
    smtpUrl: SMTP_URL.value(),
    mailFrom: MAIL_FROM.value(),
    publicUrl: PUBLIC_URL.value(),
    mailsPerHour: MAILS_PER_HOUR.value(),
  });
  const transport = smtpTransport({ url: smtpUrl, timeoutMs: DELIVERY_TIMEOUT_MS });
  return mailRoom({ ...settings, firestore, transport, clock: Date.now, log: cloudLog });
}

export const { send, read, submit, mail, sweep } = createFunctions({
  firestore,
  mailRoom: () => {
    room ??= openMailRoom();
    return room;
  },
  adminEmail: () => readAdminEmail(ADMIN_EMAIL.value()),
  publicUrl: () => readPublicUrl(PUBLIC_URL.value()),
  appCheckRequired: () => ENFORCE_APP_CHECK.value(),
  log: cloudLog,
});
