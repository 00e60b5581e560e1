export { createFunctions, type Services } from './functions.ts';
export { cloudLog } from './log.ts';
export { type WelcomeEmailOptions, type WelcomeEmails, welcomeEmails } from './welcome-emails.ts';
