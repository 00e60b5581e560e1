import type { Role } from 'early-access-server/admin-api';

export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly hint: string }>> = {
  viewer: { name: 'Viewer', hint: 'Sees the figures, but no addresses.' },
  editor: {
    name: 'Editor',
    hint: 'Sees the figures and people, and writes campaign drafts. Cannot send, export or erase.',
  },
  admin: { name: 'Admin', hint: 'Can do everything.' },
};
