import type { Meta, StoryObj } from '@storybook/react-vite';
import { EarlyAccessProvider, SessionTracker } from 'early-access-kit';
import { type MemoryStore, memoryAdapter, memoryStore } from 'early-access-kit/adapters/memory';
import { type ComponentProps, useState } from 'react';
import { expect, waitFor, within } from 'storybook/test';
import { Stage } from '../../stories/stage.tsx';

/** A page that shows its stored session. */
function VisitedPage(tracker: ComponentProps<typeof SessionTracker>) {
  const [stored, setStored] = useState<readonly [string, unknown][]>([]);
  const [adapter] = useState(() => showing(memoryStore(), setStored));
  return (
    <EarlyAccessProvider adapter={adapter}>
      <Stage>
        <h1>This session</h1>
        {stored.length === 0 && <p>Nothing is stored.</p>}
        <dl style={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', gap: '0.25rem 1.5rem' }}>
          {stored.map(([name, value]) => (
            <div key={name} style={{ display: 'contents' }}>
              <dt>{name}</dt>
              <dd style={{ margin: 0, overflowWrap: 'anywhere' }}>{String(value)}</dd>
            </div>
          ))}
        </dl>
      </Stage>
      <SessionTracker {...tracker} />
    </EarlyAccessProvider>
  );
}

/** A memory adapter that reports every change of its sessions. */
function showing(store: MemoryStore, show: (record: [string, unknown][]) => void) {
  const adapter = memoryAdapter({ store });
  const changed = () => show(Object.entries([...store.sessions.values()].at(-1) ?? {}));
  return {
    ...adapter,
    startSession: (...call: Parameters<typeof adapter.startSession>) => adapter.startSession(...call).then(changed),
    updateSession: (...call: Parameters<typeof adapter.updateSession>) => adapter.updateSession(...call).then(changed),
  };
}

/** Clears the storage of other stories, which may mark the browser as the admin's, so that it is not tracked. */
function forget(): void {
  localStorage.clear();
}

/** Tracks the session while it is mounted, and renders nothing. The page below it shows the stored record. */
const meta = {
  title: 'Widgets/Session tracker',
  component: SessionTracker,
  // Test browsers identify as bots.
  args: { allowBots: true, consent: true, endSession: 'unload', ignoreGpc: false },
  argTypes: {
    consent: { control: 'boolean' },
    endSession: { control: 'radio', options: ['unload', 'idle'], table: { defaultValue: { summary: 'unload' } } },
  },
  beforeEach: () => {
    forget();
    return forget;
  },
  render: (tracker) => <VisitedPage {...tracker} />,
} satisfies Meta<typeof SessionTracker>;

export default meta;

type Story = StoryObj<typeof meta>;

export const Visit: Story = {
  play: async ({ canvas }) => {
    const term = await canvas.findByText('page_count');
    await expect(term.nextElementSibling).toHaveTextContent('1');
    await expect(canvas.getByText('is_bounce').nextElementSibling).toHaveTextContent('true');
    await waitFor(() => expect(localStorage.getItem('current_session')).not.toBeNull());
  },
};

/** Nothing is read, stored, hashed or sent before the visitor agrees. */
export const WithoutConsent: Story = {
  args: { consent: false },
  play: async ({ canvasElement }) => {
    await expect(within(canvasElement).getByText('Nothing is stored.')).toBeVisible();
    await expect(localStorage.getItem('visitor_data')).toBeNull();
    await expect(localStorage.getItem('current_session')).toBeNull();
  },
};
