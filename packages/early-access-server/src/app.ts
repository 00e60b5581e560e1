export { checkAdmin } from './app/access/admin-check.ts';
export { type ClientNetwork, clientNetworks } from './app/access/client-networks.ts';
export {
  DEFAULT_RATE_LIMITS,
  type RateLimits,
  usesOf,
} from './app/access/rate-limits.ts';
export { type Brand, type BrandSettings, DEFAULT_BRAND, readBrand } from './app/brand.ts';
export { fieldOf } from './app/field-of.ts';
export { ConfigError } from './app/host-mistakes.ts';
export type { VerifyHuman } from './app/human/human-check.ts';
export { openFor } from './app/jobs.ts';
export { MAILBOX_FULL_REASON, mailboxKey } from './app/mail/mail-quota.ts';
export { mailService } from './app/mail/mail-service.ts';
export type { Clock, Log, LogFields } from './app/ports.ts';
export { ADMIN_COMMANDS_HELP, adminCommands } from './cli/admin-commands.ts';
export { helpCommands, runCommand, UsageError } from './cli/command.ts';
export { readVerifyHuman } from './cli/human-settings.ts';
export { type Environment, readFieldsFile, readInvites, readMailsPerHour, SETTINGS } from './cli/settings.ts';
export { CHALLENGE_ROUTE } from './http/own-paths.ts';
export { languageOf } from './http/page.ts';
export { resultPages } from './http/result-page.ts';
export type { MailTransport } from './mail/email.ts';
export { fileTransport } from './mail/file-transport.ts';
export { type MessageComposerOptions, messageComposer } from './mail/message-composer.ts';
export { smtpTransport } from './mail/smtp-transport.ts';
export type { MailTemplates } from './mail/template.ts';
export { readTemplates } from './mail/template-files.ts';
