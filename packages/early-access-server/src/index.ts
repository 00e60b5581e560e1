/**
 * The public API for hosts. Types for stores are in `early-access-server/internal`, types for email templates in
 * `early-access-server/mail`.
 */
export { requireAdmin } from './app/access/admin-check.ts';
export { DEFAULT_RATE_LIMITS, type RateLimit, type RateLimits } from './app/access/rate-limits.ts';
export type { Brand, BrandColors, BrandOfSite } from './app/brand/brand.ts';
export type { BrandFont } from './app/brand/brand-files.ts';
export { ConfigError } from './app/config-error.ts';
export type { HumanRequest, VerifyHuman } from './app/human/human-check.ts';
export type { MailEventOptions } from './app/mail-events/receivers.ts';
export type { Clock } from './app/ports/clock.ts';
export { jsonLog, type Log, type LogFields } from './app/ports/log.ts';
export type { DeliveryResult, Email, MailTransport } from './app/ports/mail-transport.ts';
export type { RateLimiter } from './app/ports/rate-limiter.ts';
export { optionsFromEnv } from './cli/options-from-env.ts';
export { loadDashboard } from './dashboard.ts';
export {
  createEarlyAccess,
  createHandler,
  type EarlyAccess,
  type Handler,
  type HandlerOptions,
} from './http/application/early-access.ts';
export { type NodeMiddleware, nodeMiddleware } from './http/application/node-middleware.ts';
export type { EarlyAccessOptions, InviteOptions, MailOptions } from './http/application/options.ts';
export type { App } from './http/application/routes.ts';
export type { ServerTexts } from './http/pages/page-texts.ts';
export { loadSite, type Site } from './http/pages/site/site.ts';
export { type EmbedScripts, loadEmbed } from './http/public/embed.ts';
export { hasBearer } from './http/routing/api-key-access.ts';
export type { RequestSource } from './http/routing/request-context.ts';
export { type ProofOfWorkOptions, verifyProofOfWork } from './human/proof-of-work.ts';
export { type SiteverifyOptions, verifyHcaptcha, verifyTurnstile } from './human/siteverify.ts';
export { readTemplates } from './mail/templates/template-files.ts';
export { fileTransport } from './mail/transports/file-transport.ts';
export { smtpTransport } from './mail/transports/smtp-transport.ts';
