import { randomUUID } from 'node:crypto';
import type { FieldDeclarations } from 'early-access-kit/core';
import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import type { Campaign } from '../../app/list/campaign.ts';
import type { Email } from '../../app/ports/mail-transport.ts';
import { exampleFields, findFieldNames } from '../../mail/compose/campaign-fields.ts';
import { Failure } from '../server/failure.ts';
import type { AppContext } from '../server/request-context.ts';
import {
  audience,
  campaignChange,
  campaignContent,
  campaignList,
  campaign as campaignSchema,
  peopleCount,
  previewQuery,
} from '../server/schemas/list.ts';
import { testMailResult } from '../server/schemas/server.ts';
import type { AdminService } from '../server/services.ts';
import { type AdminRouter, fileHeaders, route } from './admin-route.ts';

const MISSING = { 404: 'This campaign no longer exists.' };
const STARTED = { ...MISSING, 409: 'It has been started.' };

/** Emails to many people. */
export function campaignRoutes(router: AdminRouter): void {
  draftRoutes(router);
  sendingRoutes(router);
  trialRoutes(router);
}

function draftRoutes(router: AdminRouter): void {
  const { campaigns } = router.store;
  route(router, {
    method: 'get',
    path: '/campaigns',
    summary: 'Emails to many people.',
    response: campaignList,
    respond: async () => ({ campaigns: await campaigns.list(), can_send: router.service.campaignMail !== null }),
  });
  route(router, {
    method: 'post',
    path: '/campaigns',
    summary: 'Stores a draft.',
    body: campaignContent,
    response: campaignSchema,
    respond: ({ body }) => campaigns.create(body),
  });
  route(router, {
    method: 'post',
    path: '/campaigns/audience',
    summary: 'How many people an email would be sent to.',
    body: audience,
    response: peopleCount,
    respond: async ({ body }) => ({ people: await campaigns.audienceSize(body) }),
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id',
    summary: 'Changes a draft.',
    body: campaignContent,
    refusals: STARTED,
    async respond({ c, body }) {
      const { id } = await findCampaign(c, router);
      if (await campaigns.save(id, body)) return;
      throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be changed');
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/remove',
    summary: 'Deletes a draft.',
    refusals: STARTED,
    async respond({ c }) {
      const { id } = await findCampaign(c, router);
      if (await campaigns.remove(id)) return;
      throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be deleted');
    },
  });
}

function sendingRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/campaigns/:id/state',
    summary: 'Starts, pauses, resumes or cancels an email.',
    body: campaignChange,
    refusals: { ...MISSING, 409: 'Its state no longer allows it.' },
    async respond({ c, caller, body: { to } }) {
      const campaign = await findCampaign(c, router);
      if (to === 'sending') checkSendable(campaign, caller.email, router);
      if (!(await store.campaigns.change(campaign.id, to))) {
        throw new Failure(409, 'invalid', 'the state of this email has changed meanwhile; look at it again');
      }
      const { people } = await findCampaign(c, router);
      await service.sessions.record(caller, `campaign-${to}`, people);
      context.wakeMail();
    },
  });
}

/** Throws a `Failure` for an email that cannot be composed: it would fail for everyone. */
function checkSendable(campaign: Campaign, to: string, { service, context: { fields } }: AdminRouter): void {
  const mail = requireMail(service);
  if (campaign.subject.trim() === '' || campaign.body.trim() === '')
    throw new Failure(400, 'invalid', 'write a subject and a text first');
  const unknown = findFieldNames(campaign.subject + campaign.body).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined)
    throw new Failure(400, 'invalid', `there is no field ${unknown}; correct or remove {{fields.${unknown}}}`);
  composeExample(mail, campaign, to, fields);
}

/** The email to the admin alone: sent, or as a page. */
function trialRoutes(router: AdminRouter): void {
  const { service, context, https } = router;
  route(router, {
    method: 'post',
    path: '/campaigns/:id/test',
    summary: 'Sends the email to the admin alone, and waits for the mail server.',
    response: testMailResult,
    refusals: { ...MISSING, 400: 'No emails are sent.' },
    async respond({ c, caller }) {
      const campaign = await findCampaign(c, router);
      await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
      const mail = requireMail(service);
      const result = await mail.deliver(composeExample(mail, campaign, caller.email, context.fields));
      await service.sessions.record(caller, 'test-mail', 1);
      return { outcome: result.outcome, explanation: explainDelivery(result, service.mailTransport === 'files') };
    },
  });
  route(router, {
    method: 'get',
    path: '/campaigns/:id/preview',
    summary: 'The email as a page.',
    query: previewQuery,
    responses: { 200: { 'text/html': null, 'text/plain': null } },
    refusals: MISSING,
    async respond({ c, caller, query: { as: look } }) {
      const campaign = await findCampaign(c, router);
      const { html, text } = composeExample(requireMail(service), campaign, caller.email, context.fields);
      return new Response(look === 'text' ? text : inLook(html, look), {
        headers: {
          ...fileHeaders(https, look === 'text' ? 'text/plain' : 'text/html'),
          // A frame of the dashboard shows it, and the dashboard's policy forbids the styles of an email. It runs no scripts.
          'Content-Security-Policy':
            "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'",
        },
      });
    },
  });
}

async function findCampaign(c: AppContext, { store }: AdminRouter): Promise<Campaign> {
  const found = await store.campaigns.find(c.req.param('id') ?? '');
  if (found === null) throw new Failure(404, 'invalid', 'this campaign no longer exists');
  return found;
}

/** Throws a `Failure` if no emails are sent. */
function requireMail({ campaignMail }: AdminService) {
  if (campaignMail) return campaignMail;
  throw new Failure(400, 'invalid', 'no emails are sent: this application has no mail server');
}

function composeExample(
  mail: NonNullable<AdminService['campaignMail']>,
  { subject, body }: Campaign,
  to: string,
  declarations: FieldDeclarations,
): Email {
  return mail.compose({
    kind: 'campaign',
    email: to,
    fields: exampleFields(declarations),
    messageKey: randomUUID(),
    tokens: { unsubscribe: null, link: null },
    campaign: { subject, body },
    notice: null,
  });
}

/** The email as a mail program shows it in light or dark mode, regardless of the mode of the admin's system. */
function inLook(html: string, look: 'light' | 'dark'): string {
  return html
    .replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, look === 'dark' ? '@media all' : '@media not all')
    .replaceAll(/color-scheme:\s*light dark/g, `color-scheme:${look}`);
}
