import { EarlyAccessProvider, SignupForm } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';

Object.assign(globalThis, { EarlyAccessProvider, SignupForm, httpAdapter });
