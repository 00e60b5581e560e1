import type { Decorator } from '@storybook/react-vite';
import { EarlyAccessProvider, type StorageAdapter } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type ReactNode, useState } from 'react';
import { type Language, languageOf } from './texts.ts';

type CreateAdapter = () => StorageAdapter;

/** Parameters that give a story's page its store: made anew for each showing, so that no story sees what another has kept. */
export function storeOf(createAdapter: CreateAdapter): { createAdapter: CreateAdapter } {
  return { createAdapter };
}

interface PageProps {
  createAdapter: CreateAdapter;
  language: Language;
  children: ReactNode;
}

function Page({ createAdapter, language, children }: PageProps) {
  const [adapter] = useState(createAdapter);
  return (
    <EarlyAccessProvider adapter={adapter} {...language}>
      {children}
    </EarlyAccessProvider>
  );
}

/** Puts a story below a provider, on the store that its parameters name and in the language of the toolbar. */
export const onPage: Decorator = (Story, { id, parameters, globals }) => (
  // By the story's name: on a page of several, and from one to the next, each has a store of its own.
  <Page key={id} createAdapter={parameters.createAdapter ?? memoryAdapter} language={languageOf(globals)}>
    <Story />
  </Page>
);
