import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Campaign, CampaignContent } from 'early-access-server/admin-api';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../api/admin-api.ts';

/** Long enough that a sentence typed at once is stored once. */
const TYPING_MS = 700;

export interface Draft {
  readonly content: CampaignContent;
  change(part: Partial<CampaignContent>): void;
  /** Stores what is not stored yet, and returns the id. */
  save(): Promise<string>;
  /** How often a change was stored. */
  readonly version: number;
  readonly isSaving: boolean;
  readonly error: Error | null;
}

/** The text of a draft, which is stored while it is written. `onStored` is called once a new one has an id. */
export function useDraft(draft: Campaign | null, initial: CampaignContent, onStored: (id: string) => void): Draft {
  const api = useApi();
  const client = useQueryClient();
  const [content, setContent] = useState<CampaignContent>(draft ?? initial);
  const [version, setVersion] = useState(0);
  const id = useRef(draft?.id ?? null);
  const stored = useRef(content);
  const { mutateAsync, isPending, error } = useMutation({
    // One after the other, so that a new draft is created once.
    scope: { id: 'draft' },
    mutationFn: async ({ subject, body, audience }: CampaignContent): Promise<string> => {
      if (id.current === null) {
        const created = await api.post<Campaign>('/campaigns', { subject, body, audience });
        id.current = created.id;
      } else {
        await api.post(`/campaigns/${id.current}`, { subject, body, audience });
      }
      return id.current;
    },
    async onSuccess(savedId, saved) {
      const isNew = version === 0 && draft === null;
      stored.current = saved;
      setVersion((before) => before + 1);
      await client.invalidateQueries({ queryKey: ['campaigns', 'list'] });
      if (isNew) onStored(savedId);
    },
  });

  useEffect(() => {
    if (content === stored.current) return;
    const timer = setTimeout(() => mutateAsync(content).catch(() => {}), TYPING_MS);
    return () => clearTimeout(timer);
  }, [content, mutateAsync]);

  return {
    content,
    change: (part) => setContent((before) => ({ ...before, ...part })),
    save: async () => (content === stored.current && id.current !== null ? id.current : mutateAsync(content)),
    version,
    isSaving: isPending,
    error,
  };
}
