import { useEffect, useState } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { useEarlyAccess } from '../provider.tsx';
import { formatCount } from './format-count.ts';

/** Props of `SignupCount`. */
export interface SignupCountProps {
  /**
   * The text by plural category of the language, with `{count}` in place of the number:
   * `{ one: '{count} artist has joined', other: '{count} artists have joined' }`. A string is used for every number.
   */
  text: string | (Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string });
  /** Your own class. */
  className?: string | undefined;
}

/** One call per adapter, shared by all counters of a page. */
const calls = new WeakMap<StorageAdapter, Promise<number | undefined>>();

/** Returns undefined if the adapter has no number or fails: the counter is optional. */
function readCount(adapter: StorageAdapter): Promise<number | undefined> {
  const call = calls.get(adapter) ?? Promise.resolve(adapter.count?.()).catch(() => undefined);
  calls.set(adapter, call);
  return call;
}

/**
 * Shows how many people have joined, as the server's `SIGNUP_COUNT` allows: rounded down, and nothing below a minimum.
 * Sends one small request without cookies, which caches may serve.
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
