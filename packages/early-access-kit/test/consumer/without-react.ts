import { type FirestoreAdapterOptions, firestoreAdapter } from 'early-access-kit/adapters/firestore';
import { type HttpAdapterOptions, httpAdapter } from 'early-access-kit/adapters/http';
import { type MemoryAdapterOptions, memoryAdapter } from 'early-access-kit/adapters/memory';
import {
  type AnalyticsSummary,
  isStorageError,
  isValidEmail,
  type Messages,
  type SessionRecord,
  type StorageAdapter,
  StorageError,
} from 'early-access-kit/core';
import { MESSAGES } from 'early-access-kit/messages';
import { ar } from 'early-access-kit/messages/ar';
import { de } from 'early-access-kit/messages/de';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { fr } from 'early-access-kit/messages/fr';
import { it } from 'early-access-kit/messages/it';
import { ja } from 'early-access-kit/messages/ja';
import { nl } from 'early-access-kit/messages/nl';
import { pl } from 'early-access-kit/messages/pl';
import { pseudo } from 'early-access-kit/messages/pseudo';
import { ptBR } from 'early-access-kit/messages/pt-br';
import { zhHans } from 'early-access-kit/messages/zh-hans';
import { startTracker, type TrackerOptions } from 'early-access-kit/tracker';

const http: HttpAdapterOptions = { endpoint: 'https://api.example.org', deadlineMs: 5_000 };
const memory: MemoryAdapterOptions = { adminEmail: 'owner@example.org', now: () => 0 };
const firestore: FirestoreAdapterOptions = { projectId: 'demo', apiKey: 'key', getAppCheckToken: async () => null };

export const adapters: readonly StorageAdapter[] = [
  httpAdapter(http),
  memoryAdapter(memory),
  firestoreAdapter(firestore),
];

export const languages: Readonly<Record<string, Messages>> = {
  ...MESSAGES,
  ...{ ar, de, en, es, fr, it, ja, nl, pl, pseudo, ptBR, zhHans },
};

export const own: StorageAdapter = {
  async createSignup({ email }) {
    if (!isValidEmail(email)) throw new StorageError('invalid', 'no address', { retryAfter: 1 });
    return 'created';
  },
  sendWelcomeEmail: async () => {},
  startSession: async () => {},
  updateSession: async (_id, { page_count }, { final = false } = {}) =>
    track({ adapter: own, consent: final && page_count > 1 })(),
  readSummary: async (): Promise<AnalyticsSummary> => ({
    unique_visitors: 0,
    email_signups: 0,
    bounce_rate: 0,
    average_duration: 0,
  }),
};

export function track(options: TrackerOptions): () => void {
  return startTracker({ ...options, ignoreGpc: true });
}

export function describeFailure(error: unknown, { browser }: Pick<SessionRecord, 'browser'>): string {
  return isStorageError(error) ? `${browser}: ${error.code} ${error.retryAfter ?? 0}` : String(error);
}
