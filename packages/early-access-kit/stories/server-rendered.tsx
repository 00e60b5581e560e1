import type { Messages } from 'early-access-kit';
import { EarlyAccessProvider, SignupForm, type SignupFormProps } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { useMemo } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

interface ServerRenderedProps {
  form?: SignupFormProps | undefined;
  texts: Messages;
}

/** The form as a server sends it: markup that no script has touched. */
export function ServerRendered({ form, texts }: ServerRenderedProps) {
  const markup = useMemo(
    () =>
      renderToStaticMarkup(
        <EarlyAccessProvider adapter={memoryAdapter()} messages={texts} notify={() => {}}>
          <SignupForm {...form} />
        </EarlyAccessProvider>,
      ),
    [form, texts],
  );
  const insert = (place: HTMLElement | null) => {
    if (place) place.innerHTML = markup;
  };
  return <div ref={insert} />;
}
