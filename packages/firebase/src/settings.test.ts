import { describe, expect, it } from 'vitest';
import { checkMailSettings, readAdminEmail, readPublicUrl, SettingsError } from './settings.ts';

const USABLE = {
  smtpUrl: 'smtp://user:secret@mail.example.com:587',
  mailFrom: 'PrintMargin <hello@example.com>',
  publicUrl: 'https://www.example.com',
  mailsPerHour: 100,
};

describe('settings of the mail', () => {
  it('are taken as they are where they can be used', () => {
    expect(checkMailSettings(USABLE)).toEqual(USABLE);
  });

  it.each([
    ['SMTP_URL', { smtpUrl: '' }],
    ['SMTP_URL', { smtpUrl: 'https://user:secret@mail.example.com' }],
    ['MAIL_FROM', { mailFrom: '' }],
    ['MAIL_FROM', { mailFrom: 'PrintMargin' }],
    ['PUBLIC_URL', { publicUrl: '' }],
    ['PUBLIC_URL', { publicUrl: 'www.example.com' }],
    ['MAILS_PER_HOUR', { mailsPerHour: 0 }],
    ['MAILS_PER_HOUR', { mailsPerHour: Number.NaN }],
  ])('name %s where it is %j, without repeating a value', (name, change) => {
    const check = () => checkMailSettings({ ...USABLE, ...change });
    expect(check).toThrow(SettingsError);
    expect(check).toThrow(new RegExp(`^${name} must `));
    expect(check).not.toThrow('secret');
  });
});

it('keeps the numbers closed where no owner is set, and refuses what is none', () => {
  expect(readAdminEmail('')).toBeNull();
  expect(readAdminEmail(' Owner@Example.com ')).toBe('owner@example.com');
  expect(() => readAdminEmail('owner')).toThrow(/^ADMIN_EMAIL must /);
});

it('takes http and https for a site', () => {
  expect(readPublicUrl('http://127.0.0.1:5000').origin).toBe('http://127.0.0.1:5000');
  expect(() => readPublicUrl('file:///site')).toThrow(SettingsError);
});
