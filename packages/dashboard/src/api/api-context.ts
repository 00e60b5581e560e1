import { createContext, use } from 'react';
import type { AdminApi } from './admin-api.ts';

const ApiContext = createContext<AdminApi | null>(null);
export const ApiProvider = ApiContext.Provider;

export function useApi(): AdminApi {
  const api = use(ApiContext);
  if (!api) throw new Error('useApi must be used within <ApiProvider>');
  return api;
}
