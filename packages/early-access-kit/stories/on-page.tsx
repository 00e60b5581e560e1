import type { Decorator } from '@storybook/react-vite';
import { EarlyAccessProvider, type StorageAdapter } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type ReactNode, useState } from 'react';
import { Stage } from './stage.tsx';
import { getLanguage, type Language } from './texts.ts';

type CreateAdapter = () => StorageAdapter;

/** Returns parameters that create a new adapter each time the story is shown, so that stories share no data. */
export function provideStore(createAdapter: CreateAdapter): { createAdapter: CreateAdapter } {
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
      <Stage>{children}</Stage>
    </EarlyAccessProvider>
  );
}

/**
 * Renders a story in the middle of a page, below a provider, with the adapter from its parameters and the toolbar's
 * language.
 */
export const onPage: Decorator = (Story, { id, parameters, globals }) => (
  // Keyed by the story's id, so that each story has its own store.
  <Page key={id} createAdapter={parameters.createAdapter ?? memoryAdapter} language={getLanguage(globals)}>
    <Story />
  </Page>
);
