import { isValidEmail, MAX_RAW_EMAIL_LENGTH, normalizeEmail } from 'early-access-kit/internal';
import * as z from 'zod';
import { ROLES } from '../../../app/access/roles.ts';
import type { Member } from '../../../app/ports/team-store.ts';
import { createEnum, type Output, record, text, time } from '../openapi/schema.ts';
import { keyName } from './api-keys.ts';

const role = createEnum(ROLES).describe(
  '`viewer`: the figures, without addresses. `editor`: people and drafts too. `admin`: everything.',
);

export const newMember = z.object({
  email: text(MAX_RAW_EMAIL_LENGTH)
    .refine(isValidEmail, { error: 'must be an email address' })
    .transform(normalizeEmail),
  role,
});
export const memberRole = z.object({ role });

const member = record<Member>()('Member', {
  id: z.string(),
  email: z.string(),
  role: z.enum(ROLES),
  invited_at: time,
  invited_by: z.string().describe('The address of the admin.'),
  signed_in_at: time.nullable().describe('The first time. Null: never.'),
});

export const teamList = z.object({
  owners: z.array(z.string()).describe('The addresses of `ADMIN_EMAIL`, whom no one can remove.'),
  members: z.array(member).describe('In the order of their invitations.'),
});
export type TeamResponse = Output<typeof teamList>;
export const invitedMember = member;

export const newOverviewLink = z.object({
  name: keyName.describe('Names the link in the dashboard and in the audit log.'),
});
const overviewLink = z.object({
  id: z.string(),
  name: z.string(),
  created_at: time,
  last_used_at: time.nullable().describe('Null: never.'),
});
export const overviewLinkList = z.object({ links: z.array(overviewLink).describe('The newest first.') });
export type OverviewLinksResponse = Output<typeof overviewLinkList>;
export const madeOverviewLink = z.object({
  link: overviewLink,
  secret: z.string().describe('The key in the link. It is shown this once.'),
});
export type NewOverviewLinkResponse = Output<typeof madeOverviewLink>;
