import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { StorageAdapter } from 'early-access-kit/core';
import { appCheckTokens } from './app-check/tokens.ts';

/** The adapter for signups and sessions. Change it here to use a different one. The build removes all others. */
export const storage: StorageAdapter =
  __STORAGE__ === 'firestore'
    ? firestoreAdapter({
        ...__FIRESTORE_SETTINGS__,
        getAppCheckToken:
          __APP_CHECK_SITE_KEY__ === null ? undefined : appCheckTokens(__FIRESTORE_SETTINGS__, __APP_CHECK_SITE_KEY__),
      })
    : httpAdapter();

/** Pages load App Check, and therefore reCAPTCHA, from Google. */
export const USES_APP_CHECK: boolean = __APP_CHECK_SITE_KEY__ !== null;

/** The URL that forms post to when scripts do not run. */
export const SIGNUP_ACTION = '/api/signup-form';
