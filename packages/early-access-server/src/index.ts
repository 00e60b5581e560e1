export { requireAdmin } from './app/access/admin-check.ts';
export type { ApiKey, ApiKeyStore, ApiKeyUse, ApiScope } from './app/access/api-keys.ts';
export { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimiter, type RateLimits } from './app/access/rate-limits.ts';
export type {
  AdminSession,
  AdminSettings,
  AdminStore,
  AuditAction,
  AuditEntry,
} from './app/admin/admin-store.ts';
export type { Brand, BrandColors, BrandOfSite } from './app/brand.ts';
export { ConfigError } from './app/host-mistakes.ts';
export type { HumanRequest, HumanTokenStore, VerifyHuman } from './app/human/human-check.ts';
export type { MailState, MessageOutcome } from './app/mail/message.ts';
export type { UnsentMail } from './app/mail/unsent-mail.ts';
export type { Awaitable, Clock } from './app/ports.ts';
export { jsonLog, type Log, type LogFields } from './app/ports.ts';
export { loadDashboard } from './dashboard.ts';
export { hasBearer } from './http/bearer.ts';
export {
  createEarlyAccess,
  createHandler,
  type EarlyAccess,
  type Handler,
  type HandlerOptions,
} from './http/early-access.ts';
export { type EmbedScripts, loadEmbed } from './http/embed.ts';
export { type NodeMiddleware, nodeMiddleware } from './http/node-middleware.ts';
export type { EarlyAccessOptions, InviteOptions, MailOptions } from './http/options.ts';
export type { RequestSource } from './http/route-context.ts';
export type { App } from './http/routes.ts';
export { loadSite, type Site } from './http/site/site.ts';
export { type ProofOfWorkOptions, proofOfWork } from './human/proof-of-work.ts';
export { hcaptcha, type SiteverifyOptions, turnstile } from './human/siteverify.ts';
export type { DeliveryResult, Email, MailTransport } from './mail/email.ts';
export { fileTransport } from './mail/file-transport.ts';
export { smtpTransport } from './mail/smtp-transport.ts';
export type {
  LinkData,
  MailContent,
  MailTemplate,
  MailTemplates,
  SignInData,
  WeeklyData,
  WelcomeData,
} from './mail/template.ts';
export { readTemplates } from './mail/template-files.ts';
export type {
  Claim,
  ClaimedMessage,
  DueMessages,
  Erased,
  Erasure,
  MailQueue,
  ResendResult,
  Store,
  StoreFacts,
} from './stores/store.ts';
