import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { senderAddress } from 'early-access-server/app';

/** A setting that cannot be used. Its message is one line that says how to mend it, and repeats no value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** As configured: by Firebase's parameters, which are empty where nothing is set. */
export interface MailSettings {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly publicUrl: string;
  readonly mailsPerHour: number;
}

/** Throws a `SettingsError` for the first setting that no mail can be sent with. */
export function checkMailSettings(settings: MailSettings): MailSettings {
  readPublicUrl(settings.publicUrl);
  const smtp = URL.canParse(settings.smtpUrl) ? new URL(settings.smtpUrl) : null;
  if (!smtp?.hostname || !['smtp:', 'smtps:'].includes(smtp.protocol)) {
    throw new SettingsError('SMTP_URL must look like smtp://user:password@mail.example.com:587 (or smtps://)');
  }
  if (senderAddress(settings.mailFrom) === null) {
    throw new SettingsError('MAIL_FROM must look like hello@example.com or Name <hello@example.com>');
  }
  if (!Number.isInteger(settings.mailsPerHour) || settings.mailsPerHour < 1) {
    throw new SettingsError('MAILS_PER_HOUR must be a whole number from 1');
  }
  return settings;
}

/** Throws a `SettingsError` where it is no address of a site. */
export function readPublicUrl(value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new SettingsError('PUBLIC_URL must look like https://www.example.com');
}

/** Null where none is set: the numbers are closed. Throws a `SettingsError` for what is no address. */
export function readAdminEmail(value: string): string | null {
  if (value === '') return null;
  if (!isValidEmail(value)) throw new SettingsError('ADMIN_EMAIL must be an email address, or empty');
  return normalizeEmail(value);
}
