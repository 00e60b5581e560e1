import { useEffect, useState } from 'react';

/** The key of an overview link, `/admin#overview=…`. Browsers never send the fragment to a server. */
export function useOverviewKey(): string | null {
  const [key, setKey] = useState(readKey);
  useEffect(() => {
    // Opening a link in this tab only changes the fragment.
    const read = () => setKey((before) => readKey() ?? before);
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return key;
}

export function overviewFragment(key: string): string {
  return `#overview=${key}`;
}

function readKey(): string | null {
  return new URLSearchParams(location.hash.slice(1)).get('overview');
}
