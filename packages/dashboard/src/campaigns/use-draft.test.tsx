// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { Campaign, CampaignContent, CampaignsResponse } from 'early-access-server/admin-api';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ApiProvider, adminApi } from '../api/admin-api.ts';
import { signInGate } from '../api/sign-in-gate.ts';
import { DRAFT } from '../testing/campaigns.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { useDraft } from './use-draft.ts';

const CONTENT: CampaignContent = { subject: 'Open', body: '', audience: { states: ['subscribed'], source: null } };
const STORED: Campaign = { ...DRAFT, ...CONTENT };

afterEach(cleanup);

it('shows the unsaved text to an admin who leaves, comes back and leaves again before the list is loaded', async () => {
  const saves: (() => void)[] = [];
  const fetch: typeof globalThis.fetch = () =>
    new Promise((resolve) => saves.push(() => resolve(new Response(null, { status: 204 }))));
  const api = adminApi(fetch, signInGate());
  const client = new QueryClient();
  const listReads: (() => void)[] = [];
  vi.spyOn(client, 'invalidateQueries').mockImplementation(() => new Promise((resolve) => listReads.push(resolve)));
  client.setQueryData(['campaigns', 'list'], { campaigns: [STORED] });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <Toasts>
        <ApiProvider value={api}>{children}</ApiProvider>
      </Toasts>
    </QueryClientProvider>
  );
  const open = () => {
    const draft = client.getQueryData<CampaignsResponse>(['campaigns', 'list'])?.campaigns[0] ?? null;
    return renderHook(() => useDraft(draft, CONTENT, () => {}), { wrapper });
  };

  const first = open();
  act(() => first.result.current.editor.change({ body: 'Come in' }));
  first.unmount();
  const second = open();
  await act(async () => saves[0]?.());
  act(() => second.result.current.editor.change({ body: 'Come in!' }));
  second.unmount();
  await act(async () => listReads.forEach((finish) => void finish()));

  expect(open().result.current.state.content.body).toBe('Come in!');
});
