export { cloudLog } from './cloud-log.ts';
export { createFunctions, type Services } from './functions.ts';
export { type CreatedDocument, createdEvent } from './local/created-event.ts';
export { type LocalFunctions, type LocalOptions, serveLocally } from './local/serve-locally.ts';
export { type WelcomeEmailOptions, type WelcomeEmails, welcomeEmails } from './welcome-emails.ts';
