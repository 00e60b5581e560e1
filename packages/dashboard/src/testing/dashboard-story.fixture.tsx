import { useState } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { App } from '../app.tsx';
import { type FakeOptions, fakeApi } from './fake-api.fixture.ts';

export interface DashboardStoryProps {
  /** The query of the URL, such as `page=people`. */
  readonly search?: string;
  readonly server?: FakeOptions;
  /** Gets the fake server, to change it while the story runs. */
  readonly onServer?: (server: ReturnType<typeof fakeApi>) => void;
}

/** The whole dashboard with a fake server and its own URL. */
export function DashboardStory({ search = '', server = {}, onServer }: DashboardStoryProps) {
  const [{ hook }] = useState(() => memoryLocation({ path: '/admin', searchPath: search }));
  const [fake] = useState(() => {
    const created = fakeApi(server);
    onServer?.(created);
    return created;
  });
  return (
    <Router hook={hook}>
      <App fetch={fake.fetch} frameUrl={fake.frameUrl} />
    </Router>
  );
}
