import { useEffect, useState } from 'react';
import { useEarlyAccess } from '../provider.tsx';
import { formatCount, readCount } from './read-count.ts';

export interface SignupCountProps {
  /**
   * The text by plural category of the language, with `{count}` where the number belongs: `{ one: '{count} artist has joined', other:
   * '{count} artists have joined' }`. A string is the text for every number.
   */
  text: string | (Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string });
  /** The base URL of the server's API. Default: the one of the adapter. */
  endpoint?: string | undefined;
  /** Your own class. */
  className?: string | undefined;
}

/**
 * How many people have joined, as the server's `SIGNUP_COUNT` shows it: rounded down, and nothing at all below a number. One small request
 * that caches may answer, without cookies.
 */
export function SignupCount({ text, endpoint, className }: SignupCountProps) {
  const { adapter, locale } = useEarlyAccess();
  const [count, setCount] = useState<number | null>(null);
  const base = endpoint ?? adapter.endpoint;
  useEffect(() => {
    let isCurrent = true;
    if (base !== undefined) readCount(base).then((read) => isCurrent && setCount(read));
    return () => {
      isCurrent = false;
    };
  }, [base]);
  if (count === null) return null;
  const language = locale ?? (document.documentElement.lang || undefined);
  return (
    <p className={className} lang={locale}>
      {formatCount(count, language, (rule) => (typeof text === 'string' ? text : text[rule]))}
    </p>
  );
}
