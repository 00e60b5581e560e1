import { useEffect, useState } from 'react';

/** The key of a link to the overview, `/admin#overview=…`. Browsers send the fragment to no server. */
export function useOverviewKey(): string | null {
  const [key, setKey] = useState(readKey);
  useEffect(() => {
    // A link that is opened in this very tab only changes the fragment.
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
