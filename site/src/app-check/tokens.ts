import type { FirebaseConfig } from 'early-access-kit/adapters/firestore';

type GetToken = () => Promise<string>;

/**
 * Provides App Check tokens for the adapter. The first call loads Firebase's library. The adapter only delays its first
 * write until there is a token.
 */
export function appCheckTokens(config: FirebaseConfig, siteKey: string): GetToken {
  let library: Promise<GetToken> | undefined;
  async function load(): Promise<GetToken> {
    const { startAppCheck } = await import('./firebase.ts');
    return startAppCheck(config, siteKey);
  }
  return async () => {
    library ??= load().catch((error) => {
      // Allows another attempt, for example once the visitor is back online.
      library = undefined;
      throw error;
    });
    return (await library)();
  };
}
