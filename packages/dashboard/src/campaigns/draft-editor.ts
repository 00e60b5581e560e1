import type { Campaign, CampaignContent } from 'early-access-server/admin-api';
import { type AdminApi, ApiError } from '../api/admin-api.ts';

/** Long enough that a sentence typed without a pause is saved once. */
const TYPING_MS = 700;
const RETRY_MS = 5_000;
/** How many texts of failed requests are remembered as possibly stored. The server's limit is a little higher. */
const MAX_UNCERTAIN = 20;

export interface DraftState {
  /** Null until the draft is stored. */
  readonly id: string | null;
  readonly content: CampaignContent;
  /** The revision that is stored; null if none is. */
  readonly revision: string | null;
  readonly isSaving: boolean;
  readonly error: Error | null;
  /**
   * Another tab or admin has stored a different text, started sending, or deleted the draft. Nothing is saved until the
   * admin decides.
   */
  readonly isConflict: boolean;
  /** The text shown here was replaced by one from another tab or admin. */
  readonly isReplaced: boolean;
}

interface Text {
  readonly content: CampaignContent;
  readonly revision: string;
}

/**
 * Saves the text of a draft while it is written, one request at a time. Each text has a random revision, and each
 * request lists the revisions that it may replace: the server rejects a text if its author has not seen the stored one.
 */
export class DraftEditor {
  readonly #api: AdminApi;
  readonly #listeners = new Set<() => void>();
  #state: DraftState;
  #stored: CampaignContent;
  /** The last text that was sent. If it is sent again, it has the same revision. */
  #sent: Text | null = null;
  /** The stored revision, and later ones whose requests may or may not have succeeded. */
  #mayBeStored: string[];
  /**
   * All revisions that were stored or shown here, so that a late response does not look like another author's text.
   */
  readonly #known: Set<string>;
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(api: AdminApi, draft: Campaign | null, initial: CampaignContent) {
    this.#api = api;
    this.#stored = draft === null ? initial : pickContent(draft);
    this.#mayBeStored = draft === null ? [] : [draft.revision];
    this.#known = new Set(this.#mayBeStored);
    this.#state = {
      id: draft?.id ?? null,
      content: this.#stored,
      revision: draft?.revision ?? null,
      isSaving: false,
      error: null,
      isConflict: false,
      isReplaced: false,
    };
  }

  readonly getState = (): DraftState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  get isUnsaved(): boolean {
    return this.#state.content !== this.#stored;
  }

  change(part: Partial<CampaignContent>): void {
    this.#set({ content: { ...this.#state.content, ...part }, isReplaced: false });
    this.#schedule(TYPING_MS);
  }

  /** Saves unsaved text, even the empty text of a new draft. */
  async save(): Promise<{ readonly id: string; readonly revision: string }> {
    for (;;) {
      const { id, revision, error, isConflict } = this.#state;
      if (isConflict && error !== null) throw error;
      if (id !== null && revision !== null && !this.isUnsaved) return { id, revision };
      this.#saving ??= this.#send().finally(() => {
        this.#saving = null;
      });
      await this.#saving;
    }
  }

  /** Saves the text while the page closes. Does not wait for a pending request, which the browser may abort. */
  flush(): void {
    if (!this.isUnsaved || this.#state.isConflict) return;
    clearTimeout(this.#timer);
    const text = this.#nameText();
    this.#api.direct
      .post<Campaign | null>(this.#path(), this.#body(text), { keepalive: true })
      .then((created) => this.#confirm(text, created))
      .catch(() => this.#schedule(TYPING_MS));
  }

  /** Shows another author's text, unless this editor has unsaved text. */
  adopt(draft: Campaign): void {
    if (draft.id !== this.#state.id || this.isUnsaved || this.#saving || this.#known.has(draft.revision)) return;
    this.replace(draft);
    this.#set({ isReplaced: true });
  }

  /** Discards this editor's text and shows the stored one. */
  replace(draft: Campaign): void {
    this.#stored = pickContent(draft);
    this.#mayBeStored = [draft.revision];
    this.#known.add(draft.revision);
    this.#set({ content: this.#stored, revision: draft.revision, error: null, isConflict: false });
  }

  /** Saves the text as a new draft. */
  saveAsNew(): Promise<unknown> {
    this.#sent = null;
    this.#mayBeStored = [];
    this.#set({ id: null, revision: null, error: null, isConflict: false });
    return this.save();
  }

  /** Discards unsaved text, because the draft was deleted. */
  discard(): void {
    clearTimeout(this.#timer);
    this.#stored = this.#state.content;
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    const text = this.#nameText();
    this.#set({ isSaving: true });
    try {
      this.#confirm(text, await this.#api.post<Campaign | null>(this.#path(), this.#body(text)));
    } catch (error) {
      // The request lost a race: a later text has been stored since.
      if (!this.#mayBeStored.includes(text.revision)) return;
      const kind = error instanceof ApiError ? error.kind : null;
      const isConflict = this.#state.id !== null && (kind === 'conflict' || kind === 'not-found');
      this.#set({ error: error instanceof Error ? error : new Error('it failed'), isConflict });
      if (kind !== 'invalid' && !isConflict) this.#schedule(RETRY_MS);
      throw error;
    } finally {
      this.#set({ isSaving: false });
    }
  }

  #confirm({ content, revision }: Text, created: Campaign | null): void {
    const index = this.#mayBeStored.indexOf(revision);
    if (index === -1) return;
    this.#mayBeStored = this.#mayBeStored.slice(index);
    this.#stored = content;
    this.#set({ id: this.#state.id ?? created?.id ?? null, revision, error: null, isConflict: false });
  }

  #nameText(): Text {
    const { content } = this.#state;
    if (this.#sent?.content === content) return this.#sent;
    const revision = crypto.getRandomValues(new Uint32Array(4)).join('-');
    this.#sent = { content, revision };
    this.#known.add(revision);
    const [first, ...rest] = [...this.#mayBeStored, revision];
    this.#mayBeStored = [first ?? revision, ...rest.slice(-MAX_UNCERTAIN)];
    return this.#sent;
  }

  #path(): string {
    return this.#state.id === null ? '/campaigns' : `/campaigns/${this.#state.id}`;
  }

  #body({ content, revision }: Text): object {
    return { ...content, revision, replaces: this.#mayBeStored };
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer);
    if (this.#state.isConflict) return;
    this.#timer = setTimeout(() => void this.save().catch(() => {}), delay);
  }

  #set(part: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...part };
    for (const listener of this.#listeners) listener();
  }
}

function pickContent({ subject, body, audience }: CampaignContent): CampaignContent {
  return { subject, body, audience };
}
