import { useEffect, useRef } from 'react';
import { useEarlyAccess } from '../provider.tsx';
import { englishSuggestionMessages } from './suggestion-messages.ts';

/**
 * Offers to correct a misspelled domain below the email field: "Did you mean gmail.com?" Put it into the form with
 * `slots={{ note: <EmailSuggestion /> }}`, or into your own form with an input named `email`. Its code is loaded when
 * the field is used. Never blocks a submission.
 *
 * @example
 * <SignupForm slots={{ note: <EmailSuggestion /> }} />
 */
export function EmailSuggestion() {
  const { messages } = useEarlyAccess();
  const { suggestDomain } = { ...englishSuggestionMessages, ...messages };
  const marker = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const input = marker.current?.closest('form')?.querySelector<HTMLInputElement>('input[name=email]');
    if (!input) return;
    const removal = new AbortController();
    const { signal } = removal;
    const load = () => {
      import('./offer-suggestions.ts').then(
        ({ offerSuggestions }) => signal.aborted || offerSuggestions(input, suggestDomain, signal),
        // The form also works without suggestions.
        () => {},
      );
    };
    if (input.matches(':focus')) load();
    else input.addEventListener('focus', load, { once: true, signal });
    return () => removal.abort();
  }, [suggestDomain]);
  return <span ref={marker} hidden />;
}
