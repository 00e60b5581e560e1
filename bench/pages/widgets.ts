/** What the embed shows and records, beside React. */
export { EarlyAccessProvider, SessionTracker, SignupForm } from 'early-access-kit';
export { httpAdapter } from 'early-access-kit/adapters/http';
