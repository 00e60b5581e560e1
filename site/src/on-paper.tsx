import type { Decorator } from '@storybook/react-vite';
import { EarlyAccessProvider } from 'early-access-kit';
import { memoryAdapter } from 'early-access-kit/adapters/memory';
import { type ReactNode, useState } from 'react';
import css from './stories.css?inline';

/** What stands around a story of the site: its styles for as long as it is shown, and a store that forgets. */
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
