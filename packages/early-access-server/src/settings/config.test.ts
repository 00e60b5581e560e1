import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../app/config-error.ts';
import { readConfig } from './config.ts';
import type { Environment } from './setting.ts';
import { SETTING_LIST } from './setting-list.ts';

const read = (env: Environment) => readConfig(env, '/script');

describe('readConfig', () => {
  it('has defaults for a local run', () => {
    expect(read({})).toEqual({
      port: 4173,
      hosts: ['127.0.0.1', '::1'],
      isLocalRun: true,
      dataDir: expect.stringMatching(/\/data$/),
      databaseUrl: null,
      demo: false,
      adminEmail: 'admin@example.com',
      smtpUrl: null,
      mailFrom: 'Early access <hello@example.com>',
      mailReplyTo: undefined,
      mailAddress: undefined,
      welcomeEmail: true,
      webhooks: { allowLocal: false },
      agentDocs: false,
      confirm: false,
      invites: null,
      share: null,
      verifyHuman: null,
      blockDisposable: false,
      addressRules: { accept: [], block: [], disposable: [], businessOnly: false },
      checkMx: false,
      countryHeader: undefined,
      signupCount: undefined,
      mailEvents: { ses: null, postmark: null, resend: null, mailgun: null, brevo: null },
      mailLanguage: 'en',
      mailsPerHour: 200,
      metrics: null,
      publicUrl: null,
      fields: {},
      statusPage: false,
      texts: {},
      brand: { name: 'Early access', url: null, colors: {}, logo: undefined },
      mailTemplates: null,
      allowedOrigins: [],
      hostedForms: { joinPage: false, origins: [], keys: {} },
      trustProxy: 0,
      retentionDays: 395,
      siteDir: null,
      sitePolicy: undefined,
      embedDir: '/script',
    });
  });

  it('treats an empty setting as not set', () => {
    const empty = SETTING_LIST.map(({ name }) => [name, '']);
    expect(read(Object.fromEntries(empty))).toEqual(read({}));
  });

  it('reads every setting', () => {
    const stylesheet = join(tempFolder(), 'pages.css');
    writeFileSync(stylesheet, 'h1 { color: red }');
    const config = read({
      PORT: '0',
      HOST: '0.0.0.0',
      DATA_DIR: '/var/lib/early-access',
      DATABASE_URL: 'postgres://user:secret@db.example.com/list',
      ADMIN_EMAIL: ' Ada@Example.com ',
      SMTP_URL: 'smtps://user:secret@mail.example.com',
      MAIL_FROM: 'hello@example.com',
      MAIL_REPLY_TO: 'Help <help@example.com>',
      MAIL_ADDRESS: 'Acme, 1 Main Street',
      MAILS_PER_HOUR: '50',
      PUBLIC_URL: 'https://www.example.com',
      ALLOWED_ORIGINS: 'https://a.example/, http://localhost:6006, https://*.a.example',
      JOIN_PAGE: 'on',
      FORM_ORIGINS: 'https://shop.example/',
      ACCEPT_DOMAINS: 'Partner.example., büro.example',
      BLOCK_DOMAINS: 'rival.example',
      BLOCK_DISPOSABLE: 'on',
      DISPOSABLE_DOMAINS: 'burner.example',
      BUSINESS_ONLY: 'on',
      FORM_KEYS: 'wix-shop:4hVt0qP9sLmZ2xYw7bKd, framer:Qm3Zr8NwTf1Yc5Hk9LpX',
      TRUST_PROXY: '2',
      RETENTION_DAYS: '31',
      BRAND_NAME: 'Acme',
      BRAND_URL: 'https://acme.example',
      BRAND_COLOR: '#ee4b2b',
      BRAND_BACKGROUND: '#f1ece0',
      BRAND_LOGO: 'https://acme.example/logo.png',
      BRAND_STYLES: stylesheet,
      MAIL_TEMPLATES: '/srv/mails',
      SITE_DIR: '/srv/site',
      SITE_POLICY: "default-src 'self'; img-src *",
      EMBED_DIR: '/srv/script',
    });
    expect(config).toMatchObject({
      port: 0,
      hosts: ['0.0.0.0'],
      dataDir: '/var/lib/early-access',
      databaseUrl: 'postgres://user:secret@db.example.com/list',
      adminEmail: 'ada@example.com',
      smtpUrl: 'smtps://user:secret@mail.example.com',
      mailFrom: 'hello@example.com',
      mailReplyTo: 'Help <help@example.com>',
      mailAddress: 'Acme, 1 Main Street',
      mailsPerHour: 50,
      allowedOrigins: ['https://a.example', 'http://localhost:6006', 'https://*.a.example'],
      hostedForms: {
        joinPage: true,
        origins: ['https://shop.example'],
        keys: { 'wix-shop': '4hVt0qP9sLmZ2xYw7bKd', framer: 'Qm3Zr8NwTf1Yc5Hk9LpX' },
      },
      addressRules: {
        accept: ['partner.example', 'xn--bro-hoa.example'],
        block: ['rival.example'],
        disposable: ['burner.example'],
        businessOnly: true,
      },
      trustProxy: 2,
      retentionDays: 31,
      brand: {
        name: 'Acme',
        url: 'https://acme.example/',
        colors: { accent: '#ee4b2b', background: '#f1ece0' },
        logo: 'https://acme.example/logo.png',
        styles: 'h1 { color: red }',
      },
      mailTemplates: '/srv/mails',
      siteDir: '/srv/site',
      sitePolicy: "default-src 'self'; img-src *",
      embedDir: '/srv/script',
    });
    expect(config.publicUrl?.href).toBe('https://www.example.com/');
  });

  it.each([
    ['localhost', 'admin@example.com'],
    ['127.0.0.1', 'admin@example.com'],
    ['::1', 'admin@example.com'],
    ['0.0.0.0', null],
    ['::', null],
    ['192.0.2.1', null],
    ['127.0.0.1.example.com', null],
  ])('has a default admin at %s only if no one else can connect', (HOST, adminEmail) => {
    expect(read({ HOST }).adminEmail).toBe(adminEmail);
  });

  it.each([
    [{ PUBLIC_URL: 'https://www.example.com' }],
    [{ TRUST_PROXY: '1' }],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@b.c', PUBLIC_URL: 'http://localhost:4173' }],
  ])('has no default admin with %j, which others may reach through a proxy', (env) => {
    expect(read(env).adminEmail).toBeNull();
    expect(read({ ...env, ADMIN_EMAIL: 'ada@example.com' }).adminEmail).toBe('ada@example.com');
  });

  it('sends webhooks to public addresses only, unless told otherwise', () => {
    expect(read({}).webhooks).toEqual({ allowLocal: false });
    expect(read({ WEBHOOK_ALLOW_LOCAL: 'on' }).webhooks).toEqual({ allowLocal: true });
    expect(() => read({ WEBHOOK_ALLOW_LOCAL: '1' })).toThrow(/^WEBHOOK_ALLOW_LOCAL must be on or off/);
  });

  it.each([
    [{ BLOCK_DOMAINS: '*.rival.example' }, /^BLOCK_DOMAINS must list domains such as example.com/],
    [
      { ACCEPT_DOMAINS: 'a.example', BLOCK_DOMAINS: 'A.example' },
      /^a.example is in ACCEPT_DOMAINS and in BLOCK_DOMAINS/,
    ],
    [{ DISPOSABLE_DOMAINS: 'a.example' }, /^DISPOSABLE_DOMAINS requires BLOCK_DISPOSABLE=on/],
  ])('refuses rules for addresses that cannot be: %j', (env, message) => {
    expect(() => read(env)).toThrow(message);
  });

  it('sends no welcome emails if they are off', () => {
    expect(read({ WELCOME_EMAIL: 'off' }).welcomeEmail).toBe(false);
    expect(() => read({ WELCOME_EMAIL: 'no' })).toThrow(/^WELCOME_EMAIL must be on or off/);
  });

  it('accepts the reports of mail providers whose secrets are set', () => {
    const secret = 'ab-_'.repeat(8);
    const resend = `whsec_${Buffer.alloc(24, 251).toString('base64')}`;
    const env = {
      SES_TOPIC_ARN: 'arn:aws:sns:eu-west-1:123456789012:bounces',
      POSTMARK_WEBHOOK_KEY: secret,
      RESEND_WEBHOOK_SECRET: resend,
      MAILGUN_SIGNING_KEY: 'key-0123456789abcdef',
      BREVO_WEBHOOK_KEY: secret,
    };
    expect(read(env).mailEvents).toEqual({
      ses: env.SES_TOPIC_ARN,
      postmark: secret,
      resend,
      mailgun: env.MAILGUN_SIGNING_KEY,
      brevo: secret,
    });
    for (const [name, value] of [
      ['SES_TOPIC_ARN', 'arn:aws:sqs:eu-west-1:123456789012:bounces'],
      ['SES_TOPIC_ARN', 'arn:aws:sns:evil.example/:123456789012:bounces'],
      ['POSTMARK_WEBHOOK_KEY', 'short'],
      ['BREVO_WEBHOOK_KEY', `${secret}@`],
      ['RESEND_WEBHOOK_SECRET', 're_123'],
      ['RESEND_WEBHOOK_SECRET', `${resend}x`],
      ['MAILGUN_SIGNING_KEY', 'two words and more'],
    ] as const) {
      expect(() => read({ [name]: value })).toThrow(new RegExp(`^${name} must`));
    }
  });

  it.each(['on', 'none', "'self'", 'img-src *\nx'])('refuses the policy %j', (SITE_POLICY) => {
    expect(() => read({ SITE_POLICY })).toThrow('SITE_POLICY must be off, or a Content-Security-Policy such as');
  });

  it('serves no site if SITE_DIR is none', () => {
    expect(read({ SITE_DIR: 'none' }).siteDir).toBeNull();
  });

  it('treats a TRUST_PROXY of 0 as not set', () => {
    expect(read({ TRUST_PROXY: '0' }).adminEmail).toBe('admin@example.com');
  });

  it.each([
    ['PORT', { PORT: 'http' }],
    ['MAILS_PER_HOUR', { MAILS_PER_HOUR: '0' }],
    ['MAILS_PER_HOUR', { MAILS_PER_HOUR: 'many' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: '-1' }],
    ['PORT', { PORT: '80.5' }],
    ['ADMIN_EMAIL', { ADMIN_EMAIL: 'ada' }],
    ['SMTP_URL', { SMTP_URL: 'mail.example.com:587', MAIL_FROM: 'a@b.c' }],
    ['SMTP_URL', { SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@b.c' }],
    ['SMTP_URL', { SMTP_URL: 'smtp://', MAIL_FROM: 'a@b.c' }],
    ['MAIL_FROM', { SMTP_URL: 'smtp://mail.example.com' }],
    ['PUBLIC_URL must be set', { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@b.c' }],
    ['MAIL_FROM', { MAIL_FROM: 'hello' }],
    ['MAIL_REPLY_TO', { MAIL_REPLY_TO: 'hello' }],
    ['MAIL_ADDRESS', { MAIL_ADDRESS: 'Acme\n1 Main Street' }],
    ['MAIL_FROM', { MAIL_FROM: 'Hello\r\nBcc: x@y.io <hello@example.com>' }],
    ['MAIL_FROM', { MAIL_FROM: 'a@b.c, d@e.f' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'www.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'ftp://www.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://www.example.com/early' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'https://www.example.com/#/early' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: '*' }],
    ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'https://*.a.example, https://*.example' }],
    ['JOIN_PAGE', { JOIN_PAGE: 'yes' }],
    ['FORM_ORIGINS', { FORM_ORIGINS: 'shop.example' }],
    ['FORM_KEYS', { FORM_KEYS: 'wix-shop' }],
    ['FORM_KEYS', { FORM_KEYS: `wix-shop:${'k'.repeat(19)}` }],
    ['FORM_KEYS', { FORM_KEYS: `wix shop:${'k'.repeat(20)}` }],
    ['FORM_KEYS', { FORM_KEYS: `wix:${'k'.repeat(20)},wix:${'l'.repeat(20)}` }],
    ['BRAND_PICTURE', { BRAND_PICTURE: 'http://cdn.example/hero.jpg' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'true' }],
    ['RETENTION_DAYS', { RETENTION_DAYS: '30' }],
    ['BRAND_NAME', { BRAND_NAME: 'Acme\nInc' }],
    ['BRAND_URL', { BRAND_URL: 'acme.example' }],
    ['BRAND_COLOR', { BRAND_COLOR: 'red' }],
    ['BRAND_LOGO', { BRAND_LOGO: 'logo.png' }],
    ['BRAND_STYLES', { BRAND_STYLES: '/nowhere/pages.css' }],
    ['BRAND_MARK', { BRAND_MARK: '/nowhere/mark.svg' }],
    ['BRAND_MARK', { BRAND_MARK: 'data:image/gif;base64,R0lGODlh' }],
    ['BRAND_FONT', { BRAND_FONT: '/nowhere/font.woff2' }],
    ['BRAND_FONT', { BRAND_FONT: 'Acme=' }],
    ['BRAND_FONT', { BRAND_FONT: `Acme=${import.meta.filename}` }],
    ['BRAND_RADIUS', { BRAND_RADIUS: '8px' }],
    ['BRAND_RADIUS', { BRAND_RADIUS: '40' }],
    ['BRAND_RADIUS', { BRAND_RADIUS: '1e1' }],
    ['BRAND_RADIUS', { BRAND_RADIUS: '0x10' }],
  ])('names %s in one line if it is %j', (name, env) => {
    expect(() => read(env)).toThrow(ConfigError);
    expect(() => read(env)).toThrow(new RegExp(`^[^\\n]*${name}[^\\n]*$`));
  });

  it.each([
    'mysql://user:secret@db.example.com/list',
    'user:secret@db.example.com/list',
    'postgres://user:secret@db.example.com',
    'postgres://user:secret%@db.example.com/list',
    'postgres://user:sec#secret@db.example.com/list',
  ])('refuses a DATABASE_URL like %s and does not repeat it, because it may hold a password', (DATABASE_URL) => {
    expect(() => read({ DATABASE_URL })).toThrow(/^DATABASE_URL must look like postgres:(?!.*secret)[^\n]*$/);
  });
});
