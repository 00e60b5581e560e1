import { firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { httpAdapter } from 'early-access-kit/adapters/http';
import type { StorageAdapter } from 'early-access-kit/core';
import { appCheckTokens } from './app-check/tokens.ts';

/** Where sign-ups and visits are kept: the one place to change for another store. The build drops all but the chosen one. */
export const storage: StorageAdapter =
  __STORAGE__ === 'firestore'
    ? firestoreAdapter({
        ...__FIRESTORE_SETTINGS__,
        getAppCheckToken:
          __APP_CHECK_SITE_KEY__ === null ? undefined : appCheckTokens(__FIRESTORE_SETTINGS__, __APP_CHECK_SITE_KEY__),
      })
    : httpAdapter();

/** Whether pages load App Check, and with it reCAPTCHA, from Google. */
export const USES_APP_CHECK: boolean = __APP_CHECK_SITE_KEY__ !== null;

/** Where a form posts itself while scripts do not run. */
export const SIGNUP_ACTION = '/api/signup-form';
