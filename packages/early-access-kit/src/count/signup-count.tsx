import { useEffect, useState } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { useEarlyAccess } from '../provider.tsx';
import { formatCount } from './format-count.ts';

/** The text around the number of people. */
export interface SignupCountProps {
  /**
   * The text by plural category of the language, with `{count}` where the number belongs:
   * `{ one: '{count} artist has joined', other: '{count} artists have joined' }`. A string is the text for every
   * number.
   */
  text: string | (Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string });
  /** Your own class. */
  className?: string | undefined;
}

/** The call of each adapter, which every counter of a page shares. */
const calls = new WeakMap<StorageAdapter, Promise<number | undefined>>();

/** Returns undefined if the adapter shows no number, or cannot: it is an extra. */
function readCount(adapter: StorageAdapter): Promise<number | undefined> {
  const call = calls.get(adapter) ?? Promise.resolve(adapter.count?.()).catch(() => undefined);
  calls.set(adapter, call);
  return call;
}

/**
 * How many people have joined, as the server's `SIGNUP_COUNT` shows it: rounded down, and nothing at all below a
 * number. One small request that caches may answer, without cookies.
 *
 * @example
 * <SignupCount text={{ one: '{count} artist has joined', other: '{count} artists have joined' }} />
 */
export function SignupCount({ text, className }: SignupCountProps) {
  const { adapter, locale } = useEarlyAccess();
  const [count, setCount] = useState<number>();
  useEffect(() => {
    let isCurrent = true;
    readCount(adapter).then((read) => isCurrent && setCount(read));
    return () => {
      isCurrent = false;
    };
  }, [adapter]);
  if (count === undefined) return null;
  const language = locale ?? (document.documentElement.lang || undefined);
  return (
    <p className={className} lang={locale}>
      {formatCount(count, language, (rule) => (typeof text === 'string' ? text : text[rule]))}
    </p>
  );
}
