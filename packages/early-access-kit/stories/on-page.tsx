import type { Decorator } from '@storybook/react-vite';
import { EarlyAccessProvider, type StorageAdapter } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type ReactNode, useState } from 'react';

type CreateAdapter = () => StorageAdapter;

/** Parameters that give a story's page its store: made anew for each showing, so that no story sees what another has kept. */
export function storeOf(createAdapter: CreateAdapter): { createAdapter: CreateAdapter } {
  return { createAdapter };
}

interface PageProps {
  createAdapter: CreateAdapter;
  children: ReactNode;
}

function Page({ createAdapter, children }: PageProps) {
  const [adapter] = useState(createAdapter);
  return <EarlyAccessProvider adapter={adapter}>{children}</EarlyAccessProvider>;
}

/** Puts a story below a provider, on the store that its parameters name. */
export const onPage: Decorator = (Story, { id, parameters }) => (
  // By the story's name: on a page of several, and from one to the next, each has a store of its own.
  <Page key={id} createAdapter={parameters.createAdapter ?? memoryAdapter}>
    <Story />
  </Page>
);
