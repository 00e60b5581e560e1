import type { FirebaseConfig } from 'early-access-kit/adapters/firestore';

type GetToken = () => Promise<string>;

/**
 * Returns App Check tokens for the adapter. The first call loads Firebase's library. Only the adapter's first write may
 * wait for it.
 */
export function appCheckTokens(config: FirebaseConfig, siteKey: string): GetToken {
  let library: Promise<GetToken> | undefined;
  async function load(): Promise<GetToken> {
    const { startAppCheck } = await import('./firebase.ts');
    return startAppCheck(config, siteKey);
  }
  return async () => {
    library ??= load().catch((error) => {
      // Allows another attempt, for example once the visitor is online again.
      library = undefined;
      throw error;
    });
    return (await library)();
  };
}
