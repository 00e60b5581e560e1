import { ASKED_COOKIE, readLinkToken } from 'early-access-server/admin-api';
import { useCallback, useEffect, useState } from 'react';

/**
 * This browser requested a link, so opening it is enough. In any other, it may be a mail scanner, which runs scripts.
 */
export const hasAskedForLink = () => document.cookie.split('; ').includes(`${ASKED_COOKIE}=1`);

/**
 * The token of a sign-in link, `/admin#token=…`, and a function that clears it. It is removed from the address bar at
 * once, to keep it out of the history and of screenshots.
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
    // Opening a link in this tab only changes the fragment.
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  return [token, useCallback(() => setToken(null), [])];
}

/** Returns even a damaged token, so that the page says that the link no longer works and offers a new one. */
function readToken(): string | null {
  return readLinkToken(location.hash) ?? new URLSearchParams(location.hash.slice(1)).get('token');
}
