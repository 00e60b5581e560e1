export { EarlyAccessProvider, SignupForm } from 'early-access-kit';
export { httpAdapter } from 'early-access-kit/adapters/http';
