import {
  ChartNoAxesColumn,
  HeartPulse,
  type LucideIcon,
  Mail,
  Send,
  Settings,
  Ticket,
  Upload,
  Users,
  Webhook,
} from 'lucide-react';
import type { PageName } from './pages.ts';

export const PAGE_NAMES: Readonly<Record<PageName, readonly [name: string, icon: LucideIcon]>> = {
  import: ['Import people', Upload],
  overview: ['Overview', ChartNoAxesColumn],
  people: ['People', Users],
  invites: ['Invites', Ticket],
  campaigns: ['Campaigns', Send],
  mail: ['Mail', Mail],
  webhooks: ['Webhooks', Webhook],
  health: ['Health', HeartPulse],
  settings: ['Settings', Settings],
};
