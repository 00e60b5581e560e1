import type { FirebaseConfig } from 'early-access-kit/adapters/firestore';

type GetToken = () => Promise<string>;

/**
 * Provides App Check tokens for the adapter. The first call loads Firebase's library, after the first paint. The adapter only delays its
 * first write until there is a token.
 */
export function appCheckTokens(config: FirebaseConfig, siteKey: string): GetToken {
  let library: Promise<GetToken> | undefined;
  async function load(): Promise<GetToken> {
    await firstPaint();
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

/** Resolves after the next paint, or at once in the background, where pages do not paint. */
function firstPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
