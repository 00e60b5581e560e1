import { useQuery } from '@tanstack/react-query';
import type {
  Campaign,
  CampaignsResponse,
  ImportRecord,
  ImportsResponse,
  SegmentNames,
  SegmentsResponse,
  SessionResponse,
} from 'early-access-server/admin-api';
import { useApi } from '../api/admin-api.ts';

export type Fields = SessionResponse['fields'];

/** The saved segments. Undefined while they load, and if the database has none. */
export function useSegments(): SegmentsResponse['segments'] | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['segments'],
    queryFn: ({ signal }) => api.get<SegmentsResponse>('/segments', undefined, signal),
  });
  return data?.is_available ? data.segments : undefined;
}

/** The campaigns; undefined while they load. */
export function useCampaigns(): readonly Campaign[] | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['campaigns', 'list'],
    queryFn: ({ signal }) => api.get<CampaignsResponse>('/campaigns', undefined, signal),
  });
  return data?.campaigns;
}

/** The imports that have added people; undefined while they load. */
export function useImports(): readonly ImportRecord[] | undefined {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['people', 'imports'],
    queryFn: ({ signal }) => api.get<ImportsResponse>('/imports', undefined, signal),
  });
  return data?.imports;
}

/** The names for describing a segment, some of which load. */
export function useNames(fields: Fields): SegmentNames {
  const campaigns = useCampaigns();
  const imports = useImports();
  const find = (name: string) => fields.find((field) => field.name === name);
  return {
    fieldLabel: (name) => find(name)?.label,
    valueLabel: (name, value) => find(name)?.choices.find((choice) => choice.value === value)?.label ?? value,
    campaignSubject: (id) => (campaigns ? campaigns.find((campaign) => campaign.id === id)?.subject : '…'),
    importName: (id) => (imports ? imports.find((file) => file.id === id)?.name : '…'),
  };
}
