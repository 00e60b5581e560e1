export { createFunctions, type Services } from './functions.ts';
export { type CreatedDocument, createdEvent } from './local/created-event.ts';
export { type LocalFunctions, type LocalOptions, serveLocally } from './local/serve-locally.ts';
export { cloudLog } from './log.ts';
export { type WelcomeEmailOptions, type WelcomeEmails, welcomeEmails } from './welcome-emails.ts';
