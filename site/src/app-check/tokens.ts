import type { FirebaseConfig } from 'early-access-kit/adapters/firestore';

type GetToken = () => Promise<string>;

/**
 * Gives the adapter tokens of App Check. Firebase's library is loaded with the first call, after the first paint; the adapter
 * holds its first write back until there is a token, and for so long only.
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
      // A visitor who is back online gets another chance.
      library = undefined;
      throw error;
    });
    return (await library)();
  };
}

/** A page in the background paints nothing, and is not waited for. */
function firstPaint(): Promise<void> {
  if (document.hidden) return Promise.resolve();
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
