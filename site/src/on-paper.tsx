import type { Decorator } from '@storybook/react-vite';
import { EarlyAccessProvider } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type ReactNode, useState } from 'react';
import css from './stories.css?inline';

/**
 * Wraps a story of the site: applies the site's styles while it is shown, with an adapter that only stores in memory.
 */
function Paper({ children }: { children: ReactNode }) {
  const [adapter] = useState(() => memoryAdapter());
  return (
    <EarlyAccessProvider adapter={adapter}>
      <style>{css}</style>
      {children}
    </EarlyAccessProvider>
  );
}

export const onPaper: Decorator = (Story) => (
  <Paper>
    <Story />
  </Paper>
);
