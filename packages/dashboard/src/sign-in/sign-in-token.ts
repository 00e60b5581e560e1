import { ASKED_COOKIE, readLinkToken } from 'early-access-server/admin-api';
import { useCallback, useEffect, useState } from 'react';

/**
 * Whether this browser asked for a link, so that opening it is enough. Anyone else may be a mail scanner, which runs
 * scripts.
 */
export const hasAskedForLink = () => document.cookie.split('; ').includes(`${ASKED_COOKIE}=1`);

/**
 * The token of a sign-in link, `/admin#token=…`, and a function that forgets it. It is removed from the address bar at
 * once, so that it is left in no history and on no screenshot.
 */
export function useSignInToken(): readonly [token: string | null, forget: () => void] {
  const [token, setToken] = useState(readToken);
  useEffect(() => {
    const take = () => {
      const found = readToken();
      if (found === null) return;
      history.replaceState(history.state, '', location.pathname + location.search);
      setToken(found);
    };
    take();
    // A link that is opened in this very tab only changes the fragment.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return [token, useCallback(() => setToken(null), [])];
}

/** A damaged token counts too: the page says that the link no longer works, and offers another. */
function readToken(): string | null {
  return readLinkToken(location.hash) ?? new URLSearchParams(location.hash.slice(1)).get('token');
}
