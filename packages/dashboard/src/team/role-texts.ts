import type { Role } from 'early-access-server/admin-api';

export const ROLE_TEXTS: Readonly<Record<Role, { readonly name: string; readonly hint: string }>> = {
  viewer: { name: 'Viewer', hint: 'The figures, without any address.' },
  editor: { name: 'Editor', hint: 'The figures and people, and drafts of emails. No sending, exporting or erasing.' },
  admin: { name: 'Admin', hint: 'Everything.' },
};
