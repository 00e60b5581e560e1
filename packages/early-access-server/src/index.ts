/** Hosts import this. Types for stores are in `early-access-server/stores`, types for email templates in `early-access-server/mail`. */
export { requireAdmin } from './app/access/admin-check.ts';
export { ConfigError } from './app/access/host-mistakes.ts';
export { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimits } from './app/access/rate-limits.ts';
export type { Brand, BrandColors, BrandOfSite } from './app/brand/brand.ts';
export type { HumanRequest, VerifyHuman } from './app/human/human-check.ts';
export type { MailEventOptions } from './app/mail-events/receivers.ts';
export type { Clock } from './app/ports/clock.ts';
export { jsonLog, type Log, type LogFields } from './app/ports/log.ts';
export type { DeliveryResult, Email, MailTransport } from './app/ports/mail-transport.ts';
export type { RateLimiter } from './app/ports/rate-limiter.ts';
export { optionsFromEnv } from './cli/options-from-env.ts';
export { loadDashboard } from './dashboard.ts';
export type { ServerTexts } from './http/pages/page-texts.ts';
export { loadSite, type Site } from './http/pages/site/site.ts';
export { type EmbedScripts, loadEmbed } from './http/public/embed.ts';
export { hasBearer } from './http/server/api-key-access.ts';
export {
  createEarlyAccess,
  createHandler,
  type EarlyAccess,
  type Handler,
  type HandlerOptions,
} from './http/server/early-access.ts';
export { type NodeMiddleware, nodeMiddleware } from './http/server/node-middleware.ts';
export type { EarlyAccessOptions, InviteOptions, MailOptions } from './http/server/options.ts';
export type { RequestSource } from './http/server/request-context.ts';
export type { App } from './http/server/routes.ts';
export { type ProofOfWorkOptions, proofOfWork } from './human/proof-of-work.ts';
export { hcaptcha, type SiteverifyOptions, turnstile } from './human/siteverify.ts';
export { readTemplates } from './mail/templates/template-files.ts';
export { fileTransport } from './mail/transports/file-transport.ts';
export { smtpTransport } from './mail/transports/smtp-transport.ts';
