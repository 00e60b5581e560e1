import { randomUUID } from 'node:crypto';
import type { CampaignsResponse, TestMailResponse } from '../../app/admin/admin-api.ts';
import type { CampaignMail } from '../../app/admin/admin-service.ts';
import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import type { Campaign } from '../../app/list/campaign-store.ts';
import { exampleFields, fieldsNamedIn } from '../../mail/campaign-fields.ts';
import type { Email } from '../../mail/email.ts';
import { Failure } from '../failure.ts';
import type { AppContext } from '../route-context.ts';
import {
  audience,
  campaignChange,
  campaignContent,
  campaignList,
  campaign as campaignSchema,
  peopleCount,
  previewQuery,
} from '../schemas/list.ts';
import { testMailResult } from '../schemas/server.ts';
import { baseHeaders, NO_STORE } from '../security-headers.ts';
import type { AdminRouter } from './admin-context.ts';

/** Emails to many people. */
export function campaignRoutes({ get, post, json, done, service, store, context, https }: AdminRouter): void {
  const { campaigns } = store;
  /** Throws if no emails are sent. */
  const mail = (): CampaignMail => {
    if (service.campaignMail) return service.campaignMail;
    throw new Failure(400, 'invalid', 'no emails are sent: this application has no mail server');
  };

  async function find(c: AppContext): Promise<Campaign> {
    const found = await campaigns.find(c.req.param('id') ?? '');
    if (found === null) throw new Failure(404, 'invalid', 'this campaign no longer exists');
    return found;
  }

  function compose({ subject, body }: Campaign, to: string): Email {
    return mail().compose({
      kind: 'campaign',
      email: to,
      fields: exampleFields(context.fields),
      messageKey: randomUUID(),
      tokens: { unsubscribe: null, link: null },
      campaign: { subject, body },
      notice: null,
    });
  }

  get('/campaigns', { summary: 'Emails to many people.', responses: { 200: campaignList } }, async () => {
    const response: CampaignsResponse = {
      campaigns: await campaigns.list(),
      can_send: service.campaignMail !== null,
    };
    return json(response);
  });

  const create = { summary: 'Stores a draft.', body: campaignContent, responses: { 200: campaignSchema } };
  post('/campaigns', create, async ({ body }) => json(await campaigns.create(body)));

  const size = {
    summary: 'How many people an email would be sent to.',
    body: audience,
    responses: { 200: peopleCount },
  };
  post('/campaigns/audience', size, async ({ body }) => json({ people: await campaigns.audienceSize(body) }));

  const missing = { 404: 'This campaign no longer exists.' };
  const save = {
    summary: 'Changes a draft.',
    body: campaignContent,
    responses: { 204: null },
    refusals: { ...missing, 409: 'It has been started.' },
  };
  post('/campaigns/:id', save, async ({ c, body }) => {
    const { id } = await find(c);
    if (await campaigns.save(id, body)) return done();
    throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be changed');
  });

  const remove = {
    summary: 'Deletes a draft.',
    responses: { 204: null },
    refusals: { ...missing, 409: 'It has been started.' },
  };
  post('/campaigns/:id/remove', remove, async ({ c }) => {
    const { id } = await find(c);
    if (await campaigns.remove(id)) return done();
    throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be deleted');
  });

  const change = {
    summary: 'Starts, pauses, resumes or cancels an email.',
    body: campaignChange,
    responses: { 204: null },
    refusals: { ...missing, 409: 'Its state does not allow it.' },
  };
  post('/campaigns/:id/state', change, async ({ c, session, body: { to } }) => {
    const campaign = await find(c);
    if (to === 'sending') {
      mail();
      if (campaign.subject.trim() === '' || campaign.body.trim() === '')
        throw new Failure(400, 'invalid', 'write a subject and a text first');
      const unknown = fieldsNamedIn(campaign.subject + campaign.body).find(
        (name) => !Object.hasOwn(context.fields, name),
      );
      if (unknown !== undefined)
        throw new Failure(400, 'invalid', `there is no field ${unknown}; correct or remove {{fields.${unknown}}}`);
      // An email that cannot be composed would fail for everyone.
      compose(campaign, session.email);
    }
    if (!(await campaigns.change(campaign.id, to))) {
      throw new Failure(409, 'invalid', 'the state of this email has changed meanwhile; look at it again');
    }
    const { people } = await find(c);
    await service.sessions.record(session, `campaign-${to}`, people);
    context.wakeMail();
    return done();
  });

  const test = {
    summary: 'Sends the email to the admin alone, and waits for the mail server.',
    responses: { 200: testMailResult },
    refusals: { ...missing, 400: 'No emails are sent.' },
  };
  post('/campaigns/:id/test', test, async ({ c, session }) => {
    const campaign = await find(c);
    await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
    const result = await mail().deliver(compose(campaign, session.email));
    await service.sessions.record(session, 'test-mail', 1);
    const explanation = explainDelivery(result, service.mailTransport === 'files');
    const response: TestMailResponse = { outcome: result.outcome, explanation };
    return json(response);
  });

  /** A page for a frame of the dashboard, whose own policy forbids the styles of an email. It runs no scripts. */
  const preview = {
    summary: 'The email as a page.',
    query: previewQuery,
    responses: { 200: { 'text/html': null, 'text/plain': null } },
    refusals: missing,
  };
  get('/campaigns/:id/preview', preview, async ({ c, session, query: { as: look } }) => {
    const { html, text } = compose(await find(c), session.email);
    return new Response(look === 'text' ? text : inLook(html, look), {
      headers: {
        ...baseHeaders(https),
        'Content-Type': `text/${look === 'text' ? 'plain' : 'html'}; charset=utf-8`,
        'Content-Security-Policy':
          "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'",
        'Cache-Control': NO_STORE,
      },
    });
  });
}

/** The email as a mail program shows it in light or dark mode, whatever the mode of the admin's system. */
function inLook(html: string, look: 'light' | 'dark'): string {
  return html
    .replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, look === 'dark' ? '@media all' : '@media not all')
    .replaceAll(/color-scheme:\s*light dark/g, `color-scheme:${look}`);
}
