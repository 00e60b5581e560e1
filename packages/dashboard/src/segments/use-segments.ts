import {
  type Campaign,
  type CampaignsResponse,
  type ImportRecord,
  type ImportsResponse,
  type LabelsResponse,
  type SegmentNames,
  type SegmentsResponse,
  type SessionResponse,
  valueLabel,
} from 'early-access-server/admin-api';
import { useRead } from '../api/use-read.ts';
import { subjectText } from '../campaigns/subject-text.ts';

export type Fields = SessionResponse['fields'];

/** The saved segments. Undefined while they load. */
export function useSegments(): SegmentsResponse['segments'] | undefined {
  return useRead<SegmentsResponse>(['segments'], '/segments').data?.segments;
}

/** The sources that people signed up with; undefined while they load. */
export function useSources(): readonly string[] | undefined {
  return useRead<{ sources: readonly string[] }>(['people', 'sources'], '/people/sources').data?.sources;
}

/** The labels in use; undefined while they load. */
export function useLabels(): readonly string[] | undefined {
  return useRead<LabelsResponse>(['people', 'labels'], '/people/labels').data?.labels;
}

/** The campaigns; undefined while they load. */
export function useCampaigns(): readonly Campaign[] | undefined {
  return useRead<CampaignsResponse>(['campaigns', 'list'], '/campaigns').data?.campaigns;
}

/** The imports that have added people; undefined while they load. */
export function useImports(): readonly ImportRecord[] | undefined {
  return useRead<ImportsResponse>(['people', 'imports'], '/imports').data?.imports;
}

/** The names needed to describe a segment. Some may still be loading. */
export function useNames(fields: Fields): SegmentNames {
  const campaigns = useCampaigns();
  const imports = useImports();
  const find = (name: string) => fields.find((field) => field.name === name);
  return {
    fieldLabel: (name) => find(name)?.label,
    valueLabel(name, value) {
      const field = find(name);
      return field === undefined ? value : valueLabel(field, value);
    },
    campaignSubject(id) {
      if (!campaigns) return '…';
      const subject = campaigns.find((campaign) => campaign.id === id)?.subject;
      return subject && subjectText(subject, fields);
    },
    importName: (id) => (imports ? imports.find((file) => file.id === id)?.name : '…'),
  };
}
