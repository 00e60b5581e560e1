import type { FirebaseConfig } from 'early-access-kit/adapters/firestore';
import { initializeApp } from 'firebase/app';
import { getToken, initializeAppCheck, ReCaptchaEnterpriseProvider } from 'firebase/app-check';

/** A separate chunk, so that pages without App Check never load it. */
export function startAppCheck({ projectId, apiKey, appId }: FirebaseConfig, siteKey: string): () => Promise<string> {
  const app = initializeApp({ projectId, apiKey, ...(appId !== undefined && { appId }) });
  const appCheck = initializeAppCheck(app, {
    provider: new ReCaptchaEnterpriseProvider(siteKey),
    isTokenAutoRefreshEnabled: true,
  });
  return async () => (await getToken(appCheck)).token;
}
