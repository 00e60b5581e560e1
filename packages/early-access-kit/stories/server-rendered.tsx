import { EarlyAccessProvider, SignupForm, type SignupFormProps } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { useMemo } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Language } from './texts.ts';

interface ServerRenderedProps {
  form?: SignupFormProps | undefined;
  language: Language;
}

/** The form as the server renders it, before any script runs. */
export function ServerRendered({ form, language }: ServerRenderedProps) {
  const markup = useMemo(
    () =>
      renderToStaticMarkup(
        <EarlyAccessProvider adapter={memoryAdapter()} {...language} notify={() => {}}>
          <SignupForm {...form} />
        </EarlyAccessProvider>,
      ),
    [form, language],
  );
  const insert = (place: HTMLElement | null) => {
    if (place) place.innerHTML = markup;
  };
  return <div ref={insert} />;
}
