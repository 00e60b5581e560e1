import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Campaign, CampaignContent, CampaignsResponse } from 'early-access-server/admin-api';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { type AdminApi, useApi } from '../api/admin-api.ts';
import { withFullStop } from '../format/format.ts';
import { useNotify } from '../ui/toasts.tsx';
import { DraftEditor, type DraftState } from './draft-editor.ts';

/** Closed editors whose text could not be saved, by the id of the draft or `new`. */
const left = new WeakMap<AdminApi, Map<string, DraftEditor>>();

/** A draft whose text is saved while it is written. `onStored` is called once a new draft has an id. */
export function useDraft(
  draft: Campaign | null,
  initial: CampaignContent,
  onStored: (id: string) => void,
): { readonly state: DraftState; readonly editor: DraftEditor } {
  const api = useApi();
  const client = useQueryClient();
  const notify = useNotify();
  const [editor] = useState(() => left.get(api)?.get(draft?.id ?? 'new') ?? new DraftEditor(api, draft, initial));
  const state = useSyncExternalStore(editor.subscribe, editor.getState);
  const { id, revision, error } = state;

  useEffect(() => {
    if (draft !== null) editor.adopt(draft);
  }, [draft, editor]);
  const showStored = useEffectEvent(() => {
    if (revision !== null && revision !== draft?.revision) void showInList(client, state);
    if (id !== null && id !== draft?.id) onStored(id);
  });
  useEffect(() => {
    if (id !== null && revision !== null) showStored();
  }, [id, revision]);
  useEffect(() => {
    const flush = () => editor.flush();
    const flushHidden = () => document.visibilityState === 'hidden' && flush();
    // The browser may have suspended the page and dropped the response.
    const saveAgain = () => editor.isUnsaved && void editor.save().catch(() => {});
    window.addEventListener('pagehide', flush);
    window.addEventListener('pageshow', saveAgain);
    document.addEventListener('visibilitychange', flushHidden);
    return () => {
      window.removeEventListener('pagehide', flush);
      window.removeEventListener('pageshow', saveAgain);
      document.removeEventListener('visibilitychange', flushHidden);
    };
  }, [editor]);
  const isAtRisk = error !== null;
  useEffect(() => {
    if (!isAtRisk) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isAtRisk]);
  const leaveEditor = useEffectEvent(() => void leave(editor, { api, client, notify }));
  useEffect(() => () => leaveEditor(), []);

  return { state, editor };
}

/** Updates the cached list at once, so that the next editor starts with the stored text. */
function showInList(client: QueryClient, { id, content, revision }: DraftState): Promise<void> {
  const queryKey = ['campaigns', 'list'];
  client.setQueryData<CampaignsResponse>(queryKey, (page) => {
    if (page === undefined || revision === null) return page;
    const campaigns = page.campaigns.map((each) => (each.id === id ? { ...each, ...content, revision } : each));
    return { ...page, campaigns };
  });
  return client.invalidateQueries({ queryKey });
}

interface LeaveContext {
  readonly api: AdminApi;
  readonly client: QueryClient;
  readonly notify: ReturnType<typeof useNotify>;
}

/** Saves the text of an editor that was closed. Until that succeeds, the next editor for the draft shows this text. */
async function leave(editor: DraftEditor, { api, client, notify }: LeaveContext): Promise<void> {
  if (!editor.isUnsaved) return;
  const editors = left.get(api) ?? new Map<string, DraftEditor>();
  left.set(api, editors);
  const key = findKey(editor);
  editors.set(key, editor);
  try {
    await editor.save().catch(async (error: Error) => {
      if (!editor.getState().isConflict) throw error;
      await editor.saveAsNew();
      notify.done(`Your text was saved as a new draft: ${withFullStop(error.message)}`);
    });
    await showInList(client, editor.getState());
    // The admin may have reopened the draft, written more and closed it again.
    if (!editor.isUnsaved || key !== findKey(editor)) editors.delete(key);
  } catch (error) {
    if (error instanceof Error) notify.failed(new Error(`Draft not saved: ${error.message}`));
  }
}

/** Saves the text of all closed editors, so that the latest text is sent or deleted next. */
export async function saveLeft(api: AdminApi): Promise<void> {
  await Promise.all([...(left.get(api)?.values() ?? [])].map((editor) => editor.save()));
}

/** Deletes a draft after the last request for its text, which would otherwise store it again as a new draft. */
export async function removeDraft(api: AdminApi, id: string): Promise<void> {
  await saveLeft(api).catch(() => {});
  await api.post(`/campaigns/${id}/remove`);
  const editors = left.get(api);
  editors?.get(id)?.discard();
  editors?.delete(id);
}

function findKey(editor: DraftEditor): string {
  return editor.getState().id ?? 'new';
}
