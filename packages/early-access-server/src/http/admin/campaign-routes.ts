import { randomUUID } from 'node:crypto';
import { explainDelivery } from '../../app/admin/explain-delivery.ts';
import type { Campaign } from '../../app/campaigns/campaign.ts';
import {
  countAudience,
  DRAFT_CHANGED,
  whyNotBecome,
  whyNotEdited,
  whyNotScheduled,
  whyNotStartable,
  whyWrongTime,
} from '../../app/campaigns/campaign-changes.ts';
import {
  type CampaignEmailParts,
  checkSendable,
  composeExample,
  sendTest,
  textOf,
} from '../../app/campaigns/campaign-email.ts';
import { findCampaignWarnings, warnAboutFields } from '../../app/campaigns/campaign-warnings.ts';
import { resolveLocalTime } from '../../app/campaigns/schedule.ts';
import { MAX_STEPS } from '../../app/campaigns/series.ts';
import { changeSeries, readSeries } from '../../app/campaigns/series-changes.ts';
import { computeQuota } from '../../app/mail/mail-quota.ts';
import { TEST_TOKENS } from '../../app/people/links.ts';
import { listReferences } from '../../mail/compose/markdown.ts';
import { Failure, toFailure } from '../routing/failure.ts';
import type { AppContext } from '../routing/request-context.ts';
import {
  audience,
  audienceSize,
  campaignChange,
  campaignCheck,
  campaignDraft,
  campaignList,
  campaign as campaignSchema,
  campaignTest,
  campaignTime,
  followUpDays,
  newStep,
  previewQuery,
  scheduledTime,
  series,
  seriesChange,
} from '../routing/schemas/list.ts';
import { testMailResult } from '../routing/schemas/server.ts';
import { type AdminRouter, fileHeaders, route } from './admin-route.ts';
import { checkSegment } from './people-input.ts';

const MISSING = { 404: 'This campaign no longer exists.' };
const STARTED = { ...MISSING, 409: 'It has been started.' };

export function campaignRoutes(router: AdminRouter): void {
  // Mounted before the campaign routes, whose `:id` would match `series`.
  seriesRoutes(router);
  draftRoutes(router);
  sendingRoutes(router);
  scheduleRoutes(router);
  previewRoutes(router);
}

/** Routes for the series of emails after signing up. Its emails are campaigns with their own timing. */
function seriesRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  const { campaigns } = store;
  route(router, {
    method: 'get',
    path: '/campaigns/series',
    scope: 'campaigns:draft',
    summary: 'The emails after signing up in their order, who waits for them, and what turning them on does.',
    response: series,
    respond: () => readSeries(store),
  });
  route(router, {
    method: 'post',
    path: '/campaigns/series',
    scope: 'campaigns:draft',
    summary: 'Adds an email to the series, as a draft without a text.',
    details: 'Its text, preview and test are those of a campaign with its id. An API key cannot turn it on.',
    body: newStep,
    response: campaignSchema,
    refusals: { 409: `The series has ${MAX_STEPS} emails, or it has no such email to come after.` },
    async respond({ body }) {
      const step = await campaigns.series.add(body);
      if (step !== null) return step;
      throw conflict(
        `the series has at most ${MAX_STEPS} emails, and each comes after a state or another email of the series`,
      );
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/series/state',
    summary: 'Turns all emails of the series on, or pauses them.',
    details:
      'An email is for people who reach its state, or get the email before it, after it was turned on. People who are late because of a pause get it once, and in order.',
    body: seriesChange,
    refusals: { 400: 'One of them cannot be sent; none is turned on.' },
    async respond({ caller, body: { to } }) {
      const changed = await changeSeries(emailParts(router), to);
      if (changed > 0) await service.sessions.record(caller, `series-${to}`, changed);
      context.wakeMail();
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/timing',
    scope: 'campaigns:draft',
    summary: 'Changes when people get an email of the series.',
    details: 'Nobody gets it twice. Once it was turned on, only its days can be changed, while it is paused.',
    body: newStep,
    refusals: { ...MISSING, 409: 'It is running, was ended, or cannot come after that.' },
    async respond({ c, body }) {
      const { id } = await findCampaign(c, router);
      if (await campaigns.series.retime(id, body)) return;
      throw conflict(
        'pause this email to change its days; once it has been turned on, you cannot change what it follows, and it cannot follow itself',
      );
    },
  });
}

function draftRoutes(router: AdminRouter): void {
  const { campaigns } = router.store;
  route(router, {
    method: 'get',
    path: '/campaigns',
    scope: 'campaigns:draft',
    summary: 'The campaigns.',
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
    summary: 'The number of people a campaign would be sent to.',
    body: audience,
    response: audienceSize,
    respond({ body }) {
      checkSegment(router, body.conditions);
      return countAudience(router.store, body);
    },
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
      throw conflict(whyNotEdited(await findCampaign(c, router), 'changed'));
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/duplicate',
    scope: 'campaigns:draft',
    summary: 'Creates a draft with the text and the audience of a campaign in any state.',
    response: campaignSchema,
    refusals: MISSING,
    async respond({ c }) {
      const { subject, body, audience } = await findCampaign(c, router);
      return campaigns.create({ subject, body, audience }, { revision: randomUUID(), replaces: [] });
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/remove',
    needs: 'campaigns:draft',
    summary: 'Deletes a draft.',
    refusals: STARTED,
    async respond({ c }) {
      const campaign = await findCampaign(c, router);
      if (await campaigns.remove(campaign.id)) return;
      throw conflict(whyNotEdited(campaign, 'deleted'));
    },
  });
}

function sendingRoutes(router: AdminRouter): void {
  const { store, service, context } = router;
  route(router, {
    method: 'post',
    path: '/campaigns/:id/state',
    summary: 'Starts, pauses, resumes, cancels or unschedules a campaign.',
    body: campaignChange,
    refusals: { ...MISSING, 409: 'Its state no longer allows it.' },
    async respond({ c, caller, body: { to, revision } }) {
      const campaign = await findCampaign(c, router);
      if (to === 'sending') {
        const obstacle = whyNotStartable(campaign);
        if (obstacle !== null) throw conflict(obstacle);
        if (campaign.state !== 'sending') await checkSendable(emailParts(router), campaign);
      }
      // Starts exactly the text that was checked.
      const isChanged = await store.campaigns.change(campaign.id, to, revision ?? campaign.revision);
      const { people, state } = await findCampaign(c, router);
      if (!isChanged) {
        const reason = whyNotBecome(state, to);
        if (reason === null) return;
        throw conflict(reason);
      }
      await service.sessions.record(caller, `campaign-${to}`, people);
      context.wakeMail();
    },
  });
}

function scheduleRoutes(router: AdminRouter): void {
  const { store, service } = router;
  const { schedule } = store.campaigns;
  const UNABLE = { ...MISSING, 409: 'Its state does not allow it.' };
  route(router, {
    method: 'post',
    path: '/campaigns/:id/schedule',
    summary: 'Schedules a campaign for a local time in a time zone, or a follow-up after its days.',
    details:
      'If the local time occurs twice, the first is used; an offset chooses the other. A time that the clocks skip, or that is past, is rejected.',
    body: campaignTime,
    response: scheduledTime,
    refusals: { ...UNABLE, 400: 'There is no such time, or the email cannot be composed.' },
    async respond({ c, caller, body: { at, zone, revision } }) {
      const campaign = await findCampaign(c, router);
      const mistake = whyWrongTime(campaign, at);
      if (mistake !== null) throw new Failure(400, 'invalid', mistake);
      const time = at === null ? null : resolveLocalTime(at, zone, service.clock());
      await checkSendable(emailParts(router), campaign);
      const start = time && { at: time.at, zone };
      if (!(await schedule.set(campaign.id, start, revision ?? campaign.revision))) {
        throw conflict(whyNotScheduled(await findCampaign(c, router)));
      }
      await service.sessions.record(caller, 'campaign-scheduled', 1);
      return { scheduled_at: time?.at ?? null, note: time?.note ?? null };
    },
  });
  route(router, {
    method: 'post',
    path: '/campaigns/:id/follow-up',
    needs: 'campaigns:draft',
    summary: 'Creates the draft of its follow-up, or changes the days of the existing one.',
    details:
      'It goes to people who got this campaign, and were invited but have not joined after these days. A campaign has at most one follow-up.',
    body: followUpDays,
    response: campaignSchema,
    refusals: UNABLE,
    async respond({ c, body: { after_days } }) {
      const { id } = await findCampaign(c, router);
      const draft = await schedule.followUp(id, after_days);
      if (draft !== null) return draft;
      throw conflict('this email has not been started, is a follow-up, or has one that is no longer a draft');
    },
  });
}

/** Routes that send the email to the admin alone, or render it as a page. */
function previewRoutes(router: AdminRouter): void {
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
      if (revision !== undefined && revision !== campaign.revision) throw conflict(DRAFT_CHANGED);
      await context.limiter.take([{ limit: 'testMails', key: 'all' }]);
      const { email: to } = caller;
      // The links work like any recipient's: an admin who is on the list can unsubscribe with them.
      const tokens = (await store.list.createTokens(to)) ?? TEST_TOKENS;
      const result = await sendTest(emailParts(router), campaign, { email: to, tokens });
      await service.sessions.record(caller, 'test-mail', 1);
      return { outcome: result.outcome, explanation: explainDelivery(result, service.mailTransport === 'files') };
    },
  });
  route(router, {
    method: 'get',
    path: '/campaigns/:id/check',
    needs: 'campaigns:draft',
    summary: 'Whether the email can be sent, its subject for two people, and what mail programs show differently.',
    response: campaignCheck,
    refusals: MISSING,
    async respond({ c }) {
      const campaign = await findCampaign(c, router);
      try {
        const composed = await Promise.all(
          (['person', 'empty'] as const).map(async (who) => ({
            who,
            ...(await composeExample(emailParts(router), campaign, who)),
          })),
        );
        const examples = composed.map(({ who, person, email }) => ({
          for: who,
          email: person,
          subject: email.subject,
        }));
        const largest = Math.max(...composed.map(({ email }) => Buffer.byteLength(email.html)));
        const fields = warnAboutFields(textOf(campaign));
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
    needs: 'campaigns:draft',
    summary: 'The email as a page or, as plain text, why it cannot be sent.',
    query: previewQuery,
    responses: { 200: { 'text/html': null, 'text/plain': null } },
    refusals: MISSING,
    async respond({ c, query: { as: look, for: who } }) {
      const campaign = await findCampaign(c, router);
      // Shown in a frame of the dashboard, whose policy forbids the inline styles of emails. Scripts are disabled.
      const policy =
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-ancestors 'self'";
      const page = (content: string, type: 'text/plain' | 'text/html') =>
        new Response(content, {
          headers: { ...fileHeaders(type), 'Content-Security-Policy': policy },
        });
      try {
        const { html, text } = (await composeExample(emailParts(router), campaign, who)).email;
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

function conflict(message: string): Failure {
  return new Failure(409, 'invalid', message);
}

function emailParts({ store, service: { campaignMail, clock }, context: { fields } }: AdminRouter): CampaignEmailParts {
  return { store, fields, mail: campaignMail, now: clock() };
}

/** The email in a mail program's light or dark mode, regardless of the admin's system setting. */
function inLook(html: string, look: 'light' | 'dark'): string {
  return html
    .replaceAll(/@media\s*\(prefers-color-scheme:\s*dark\)/g, look === 'dark' ? '@media all' : '@media not all')
    .replaceAll(/color-scheme:\s*light dark/g, `color-scheme:${look}`);
}
