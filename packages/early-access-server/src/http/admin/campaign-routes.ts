import { randomUUID } from 'node:crypto';
import type { SignupFields } from 'early-access-kit/core';
import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import { type Audience, CAMPAIGN_AUDIENCE, type Campaign } from '../../app/list/campaign.ts';
import { findExamplePerson } from '../../app/list/campaign-example.ts';
import { findCampaignWarnings, warnAboutFields } from '../../app/list/campaign-warnings.ts';
import { TEST_TOKENS } from '../../app/list/links.ts';
import { findFieldNames, findPlaceholderProblem } from '../../app/list/placeholders.ts';
import { resolveLocalTime } from '../../app/list/schedule.ts';
import { emailFields } from '../../app/mail/email-fields.ts';
import { computeQuota } from '../../app/mail/mail-quota.ts';
import type { ComposableMessage } from '../../app/ports/mail-composer.ts';
import type { Email } from '../../app/ports/mail-transport.ts';
import { exampleFields } from '../../mail/compose/campaign-fields.ts';
import { listReferences } from '../../mail/compose/markdown.ts';
import { Failure, toFailure } from '../server/failure.ts';
import type { AppContext } from '../server/request-context.ts';
import {
  audience,
  audienceSize,
  type CampaignExample,
  campaignChange,
  campaignCheck,
  campaignDraft,
  campaignList,
  campaign as campaignSchema,
  campaignTest,
  campaignTime,
  followUpDays,
  previewQuery,
  scheduledTime,
} from '../server/schemas/list.ts';
import { testMailResult } from '../server/schemas/server.ts';
import type { AdminService } from '../server/services.ts';
import { type AdminRouter, fileHeaders, route } from './admin-route.ts';
import { checkSegment } from './people-input.ts';

const MISSING = { 404: 'This campaign no longer exists.' };
const STARTED = { ...MISSING, 409: 'It has been started.' };
const CHANGED = 'this draft was changed in another tab or by another admin; nothing was overwritten';

/** The people among whom an audience with conditions is counted, until it is started. */
const MAX_COUNTED = 200_000;
const SCHEDULED = 'this email is scheduled; unschedule it to change or delete it';

/** Stands for a person in previews, and appears in none. */
const EXAMPLE_ADDRESS = 'someone@example.com';

/** Emails to many people. */
export function campaignRoutes(router: AdminRouter): void {
  draftRoutes(router);
  sendingRoutes(router);
  scheduleRoutes(router);
  trialRoutes(router);
}

function draftRoutes(router: AdminRouter): void {
  const { campaigns } = router.store;
  route(router, {
    method: 'get',
    path: '/campaigns',
    scope: 'campaigns:draft',
    summary: 'Emails to many people.',
    response: campaignList,
    async respond() {
      const { mails } = router.store;
      const { mailsPerHour } = mails;
      const now = router.service.clock();
      const spent_until = await mails.quotaSpentUntil('campaign');
      const quota = {
        per_hour: computeQuota('campaign', mailsPerHour),
        mails_per_hour: mailsPerHour,
        spent_until,
        now,
      };
      const paused_until = (await mails.pause())?.until ?? null;
      return {
        campaigns: await campaigns.list(),
        can_send: router.service.campaignMail !== null,
        can_schedule: campaigns.schedule !== null,
        quota,
        paused_until,
      };
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns',
    scope: 'campaigns:draft',
    summary: 'Stores a draft.',
    details: 'If the draft with this revision or one that it replaces is stored, changes that one instead.',
    body: campaignDraft,
    response: campaignSchema,
    respond({ body }) {
      checkSegment(router, body.audience.conditions);
      const { revision = randomUUID(), replaces = [] } = body;
      return campaigns.create(body, { revision, replaces });
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/audience',
    scope: 'campaigns:draft',
    summary: 'How many people an email would be sent to.',
    body: audience,
    response: audienceSize,
    respond: ({ body }) => countAudience(router, body),
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id',
    scope: 'campaigns:draft',
    summary: 'Changes a draft.',
    body: campaignDraft,
    refusals: { ...MISSING, 409: 'It has been started, or has a text that this one may not replace.' },
    async respond({ c, body }) {
      checkSegment(router, body.audience.conditions);
      const { id } = await findCampaign(c, router);
      const { revision = randomUUID(), replaces } = body;
      if (await campaigns.save(id, body, { revision, replaces })) return;
      const { state } = await findCampaign(c, router);
      if (state === 'draft') throw new Failure(409, 'invalid', CHANGED);
      if (state === 'scheduled') throw new Failure(409, 'invalid', SCHEDULED);
      throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be changed');
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/remove',
    summary: 'Deletes a draft.',
    refusals: STARTED,
    async respond({ c }) {
      const { id, state } = await findCampaign(c, router);
      if (await campaigns.remove(id)) return;
      if (state === 'scheduled') throw new Failure(409, 'invalid', SCHEDULED);
      throw new Failure(409, 'invalid', 'this email has been started, so it can no longer be deleted');
    },
  });
}

/** Counts among the newest people, so that an admin who changes conditions slows nobody down. */
async function countAudience(router: AdminRouter, audience: Audience) {
  checkSegment(router, audience.conditions);
  const { campaigns, list } = router.store;
  const [people, counts] = await Promise.all([campaigns.audienceSize(audience, MAX_COUNTED), list.counts()]);
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const everyone = CAMPAIGN_AUDIENCE.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return { people, everyone, is_partial: audience.conditions !== undefined && total > MAX_COUNTED };
}

function sendingRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/campaigns/:id/state',
    summary: 'Starts, pauses, resumes or cancels an email, or makes a scheduled one a draft again.',
    body: campaignChange,
    refusals: { ...MISSING, 409: 'Its state no longer allows it.' },
    async respond({ c, caller, body: { to, revision } }) {
      const campaign = await findCampaign(c, router);
      if (to === 'sending' && campaign.follows !== null && campaign.state === 'draft')
        throw new Failure(409, 'invalid', 'a follow-up waits for its days, so it is scheduled');
      if (to === 'sending' && campaign.state !== 'sending') await checkSendable(campaign, router);
      // The text that was checked.
      const isChanged = await store.campaigns.change(campaign.id, to, revision ?? campaign.revision);
      const { people, state } = await findCampaign(c, router);
      if (!isChanged) {
        // Another click, tab or admin did the same.
        if (state === to) return;
        if (state === 'draft' && to === 'sending') throw new Failure(409, 'invalid', CHANGED);
        throw new Failure(409, 'invalid', 'the state of this email has changed meanwhile; look at it again');
      }
      await service.sessions.record(caller, `campaign-${to}`, people);
      context.wakeMail();
    },
  });
}

function scheduleRoutes(router: AdminRouter): void {
  const { store, service } = router;
  const UNABLE = { ...MISSING, 409: 'Its state does not allow it, or this database cannot do it.' };
  const requireSchedule = () => {
    if (store.campaigns.schedule) return store.campaigns.schedule;
    throw new Failure(409, 'invalid', 'this database can neither schedule campaigns nor send follow-ups');
  };
  route(router, {
    method: 'post',
    path: '/campaigns/:id/schedule',
    summary: 'Starts an email at a local time in a time zone, or a follow-up after its days.',
    details:
      'Of a time that the clocks show twice, it is the first. A time that they skip, or that is past, is refused.',
    body: campaignTime,
    response: scheduledTime,
    refusals: { ...UNABLE, 400: 'There is no such time, or the email cannot be composed.' },
    async respond({ c, caller, body: { at, zone, revision } }) {
      const campaigns = requireSchedule();
      const campaign = await findCampaign(c, router);
      if (at === null && campaign.follows === null) throw new Failure(400, 'invalid', 'at must be a local time');
      if (at !== null && campaign.follows !== null)
        throw new Failure(400, 'invalid', 'at must be null for a follow-up');
      const time = at === null ? null : resolveLocalTime(at, zone, service.clock());
      await checkSendable(campaign, router);
      const start = time && { at: time.at, zone };
      if (!(await campaigns.set(campaign.id, start, revision ?? campaign.revision))) {
        const { state } = await findCampaign(c, router);
        throw new Failure(409, 'invalid', state === 'draft' ? CHANGED : 'this email is scheduled or started already');
      }
      await service.sessions.record(caller, 'campaign-scheduled', 1);
      return { scheduled_at: time?.at ?? null, note: time?.note ?? null };
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/follow-up',
    summary: 'Makes the draft of its follow-up, or changes the days of the one it has.',
    details:
      'It goes to people who got this email, and were invited but have not joined after the days. A campaign has one follow-up at most.',
    body: followUpDays,
    response: campaignSchema,
    refusals: UNABLE,
    async respond({ c, body: { after_days } }) {
      const campaigns = requireSchedule();
      const { id } = await findCampaign(c, router);
      const draft = await campaigns.followUp(id, after_days);
      if (draft !== null) return draft;
      throw new Failure(
        409,
        'invalid',
        'this email has not been started, is a follow-up, or has one that is no longer a draft',
      );
    },
  });
}

/** Throws a `Failure` for an email that cannot be composed: it would fail for everyone. */
async function checkSendable(campaign: Campaign, router: AdminRouter): Promise<void> {
  requireMail(router.service);
  if (campaign.subject.trim() === '' || campaign.body.trim() === '')
    throw new Failure(400, 'invalid', 'write a subject and a text first');
  const { with_campaign, without_campaign } = campaign.audience.conditions ?? {};
  for (const id of [with_campaign, without_campaign]) {
    if (id !== undefined && (await router.store.campaigns.find(id)) === null) {
      throw new Failure(
        400,
        'invalid',
        'the audience depends on a campaign that no longer exists; remove that condition',
      );
    }
  }
  await composeExample(router, campaign, 'person');
}

/** The email to the admin alone: sent, or as a page. */
function trialRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/campaigns/:id/test',
    summary: 'Sends the email to the admin alone, and waits for the mail server.',
    body: campaignTest,
    response: testMailResult,
    refusals: { ...MISSING, 400: 'It cannot be composed, or no emails are sent.', 409: 'It has another revision.' },
    async respond({ c, caller, body: { revision } }) {
      const campaign = await findCampaign(c, router);
      if (revision !== undefined && revision !== campaign.revision) throw new Failure(409, 'invalid', CHANGED);
      await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
      const mail = requireMail(service);
      await composeExample(router, campaign, 'person');
      // A copy of it outlives the person whose values the preview shows.
      const fields = exampleFields(context.fields);
      // It works like everyone's: an admin who is on the list unsubscribes by it.
      const tokens = (await store.list.createTokens(caller.email)) ?? TEST_TOKENS;
      const result = await mail.deliver(compose(router, campaign, { email: caller.email, fields, tokens }));
      await service.sessions.record(caller, 'test-mail', 1);
      return { outcome: result.outcome, explanation: explainDelivery(result, service.mailTransport === 'files') };
    },
  });
  route(router, {
    method: 'get',
    path: '/campaigns/:id/check',
    summary: 'Whether the email can be sent, its subject for two people, and what mail programs show differently.',
    response: campaignCheck,
    refusals: MISSING,
    async respond({ c }) {
      const campaign = await findCampaign(c, router);
      try {
        const composed = await Promise.all(
          (['person', 'empty'] as const).map(async (who) => ({
            who,
            ...(await composeExample(router, campaign, who)),
          })),
        );
        const examples = composed.map(({ who, person, email }) => ({
          for: who,
          email: person,
          subject: email.subject,
        }));
        const largest = Math.max(...composed.map(({ email }) => Buffer.byteLength(email.html)));
        const fields = warnAboutFields(`${campaign.subject}\n${campaign.body}`);
        const warnings = [...fields, ...findCampaignWarnings(listReferences(campaign.body), largest)];
        return { problem: null, examples, warnings };
      } catch (error) {
        const { status, message } = toFailure(error);
        if (status !== 400) throw error;
        return { problem: message, examples: [], warnings: [] };
      }
    },
  });
  route(router, {
    method: 'get',
    path: '/campaigns/:id/preview',
    summary: 'The email as a page, or why it cannot be sent as plain text.',
    query: previewQuery,
    responses: { 200: { 'text/html': null, 'text/plain': null } },
    refusals: MISSING,
    async respond({ c, query: { as: look, for: who } }) {
      const campaign = await findCampaign(c, router);
      // A frame of the dashboard shows it, and the dashboard's policy forbids the styles of an email. It runs no scripts.
      const policy =
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'";
      const page = (content: string, type: 'text/plain' | 'text/html') =>
        new Response(content, {
          headers: { ...fileHeaders(type), 'Content-Security-Policy': policy },
        });
      try {
        const { html, text } = (await composeExample(router, campaign, who)).email;
        return look === 'text' ? page(text, 'text/plain') : page(inLook(html, look), 'text/html');
      } catch (error) {
        const { status, message } = toFailure(error);
        if (status === 400) return page(message, 'text/plain');
        throw error;
      }
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

interface Example {
  /** The address of the person whose values these are; null if they are no one's. */
  readonly person: string | null;
  readonly fields: SignupFields;
  readonly email: Email;
}

/** The email as one person gets it. Throws a `Failure` or a `StorageError` if it cannot be composed. */
async function composeExample(router: AdminRouter, campaign: Campaign, who: CampaignExample): Promise<Example> {
  const { store, service, context } = router;
  const text = `${campaign.subject}\n${campaign.body}`;
  const problem = findPlaceholderProblem(text, Object.keys(context.fields));
  if (problem !== null) throw new Failure(400, 'invalid', problem);
  const found =
    who === 'empty'
      ? null
      : await findExamplePerson(store.people, campaign.audience, service.clock(), findFieldNames(text));
  const example = who === 'empty' ? {} : exampleFields(context.fields);
  const fields = found === null ? example : emailFields(found.fields, found.confirmed_at !== null);
  const email = compose(router, campaign, { email: found?.email ?? EXAMPLE_ADDRESS, fields, tokens: TEST_TOKENS });
  return { person: found?.email ?? null, fields, email };
}

function compose(
  { service }: AdminRouter,
  { subject, body }: Campaign,
  recipient: Pick<ComposableMessage, 'email' | 'fields' | 'tokens'>,
): Email {
  return requireMail(service).compose({
    kind: 'campaign',
    ...recipient,
    messageKey: randomUUID(),
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
