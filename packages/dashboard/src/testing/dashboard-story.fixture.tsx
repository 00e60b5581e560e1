import { useState } from 'react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { App } from '../app.tsx';
import { type FakeOptions, fakeApi } from './fake-api.fixture.ts';

export interface DashboardStoryProps {
  /** The URL's query, such as `page=people`. */
  readonly search?: string;
  readonly server?: FakeOptions;
}

let shown: ReturnType<typeof fakeApi> | undefined;

/** Returns the fake server of the current story, for changes while the story runs. */
export function shownServer(): ReturnType<typeof fakeApi> {
  if (!shown) throw new Error('no story is shown');
  return shown;
}

/** The whole dashboard with a fake server and its own URL. */
export function DashboardStory({ search = '', server = {} }: DashboardStoryProps) {
  const [{ hook }] = useState(() => {
    // Clears what another story's page has stored there.
    history.replaceState(null, '');
    return memoryLocation({ path: '/admin', searchPath: search });
  });
  const [fake] = useState(() => {
    shown = fakeApi(server);
    return shown;
  });
  return (
    <Router hook={hook}>
      <App fetch={fake.fetch} frameUrl={fake.frameUrl} />
    </Router>
  );
}
