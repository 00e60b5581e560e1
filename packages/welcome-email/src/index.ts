export { composeWelcomeEmail, type WelcomeEmail } from './compose.ts';
export { fileTransport } from './file-transport.ts';
export { handOver } from './hand-over.ts';
export { MAX_ATTEMPTS, retryDelay } from './retry.ts';
export { senderAddress } from './sender.ts';
export { type Settlement, settle } from './settlement.ts';
export { smtpTransport } from './smtp-transport.ts';
export type { DeliveryResult, MailTransport } from './transport.ts';
export { type Addressee, welcomeComposer } from './welcome.ts';
