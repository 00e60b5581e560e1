import { DAY_MS, type FieldDeclarations } from 'early-access-kit/internal';
import { chooseMailLanguage, type Language } from '../../app/brand/language.ts';
import { CONFIRM_LINK_MS, INVITE_LINK_MS, type LinkPurpose } from '../../app/mail/message-kinds.ts';
import { type LinkPage, linkTarget } from '../../app/people/meant-link.ts';
import type { ComposableMessage } from '../../app/ports/mail-composer.ts';
import type { Email } from '../../app/ports/mail-transport.ts';
import { formatMailbox } from '../address.ts';
import { defaultWeekly, noticeMail } from '../templates/admin-emails.ts';
import { campaignTemplate, defaultTemplates, withWords } from '../templates/default-templates.ts';
import type { LinkData, MailContent, PersonMailData, StatusData, WeeklyData } from '../templates/template.ts';
import { type ComposerOptions, checked, checkedMailbox, headerUrl, oneLine, senderAndBrand } from './admin-composer.ts';

export interface MessageComposerOptions extends ComposerOptions {
  /**
   * The language of notices, of the admin's own texts, and of default emails to people whose language is unknown.
   * Default: English.
   */
  readonly language?: Language | undefined;
  /** Adds links to the person's status page. */
  readonly statusPage?: boolean | undefined;
  /** Must be true for invitations, which link to `/invite`; otherwise they throw. Default: false. */
  readonly invites?: boolean | undefined;
  /** The Reply-To address of emails to people, also for unsubscribing by email. Default: the sender. */
  readonly replyTo?: string | undefined;
  /** The sender's postal address, in the footer of campaigns. */
  readonly postalAddress?: string | undefined;
  /** The host's fields, whose choices have labels in campaigns. */
  readonly fields?: FieldDeclarations | undefined;
  /** Called with each link that confirms an address or accepts an invitation. */
  readonly onLink?: OnMailLink | null | undefined;
}

export type OnMailLink = (link: string, purpose: Extract<LinkPurpose, 'confirm' | 'invite'>) => void;

/**
 * Returns a function that composes the email for a message. The Message-ID is the same for every attempt, so that mail
 * programs show a repeated email only once. Throws a `ConfigError` for an invalid sender, brand or template. The
 * returned function throws if a message lacks data that its kind needs, but never because of an address.
 */
export function messageComposer(options: MessageComposerOptions): (message: ComposableMessage) => Email {
  const { from, sender, brand, address, domain } = senderAndBrand(options);
  const {
    language = 'en',
    siteUrl,
    statusPage = false,
    invites = false,
    replyTo,
    postalAddress = null,
    fields,
    onLink,
  } = options;
  const replies = replyTo === undefined ? null : checkedMailbox(replyTo);
  const mailto = headerUrl(`mailto:${replies?.address ?? sender}?subject=unsubscribe`);
  const example = {
    ...brand,
    unsubscribeUrl: mailto,
    fields: {},
    link: brand.url,
    statusUrl: brand.url,
    days: 1,
    dashboardUrl: brand.url,
    period: '',
    figures: [],
    dailySignups: [],
  };
  const byLanguage = new Map<Language, ReturnType<typeof chooseTemplates>>();
  function templatesIn(chosen: Language) {
    const templates = byLanguage.get(chosen) ?? chooseTemplates(options.templates, chosen, example);
    byLanguage.set(chosen, templates);
    return templates;
  }
  // Throws now if a template is invalid.
  templatesIn(language);

  /** A link to a page of this application. */
  function createLink(page: LinkPage, token: string | null): string {
    return new URL(linkTarget({ page, token: present(token, 'no token') }), present(siteUrl, 'no site URL')).href;
  }

  type Campaign = NonNullable<ComposableMessage['campaign']>;
  /** The template of the last campaign, cached because a campaign is composed for many people in a row. */
  let last: { readonly campaign: Campaign; readonly template: ReturnType<typeof campaignTemplate> } | undefined;
  function getTemplate(campaign: Campaign) {
    if (last?.campaign.subject !== campaign.subject || last.campaign.body !== campaign.body) {
      last = { campaign, template: campaignTemplate(language, brand, campaign, { postalAddress, fields }) };
    }
    return last.template;
  }

  function composeContent(message: ComposableMessage, data: PersonMailData): MailContent {
    const { kind, tokens, campaign, notice } = message;
    const chosen = chooseMailLanguage(message.language, language);
    const templates = templatesIn(chosen);
    switch (kind) {
      case 'welcome':
        return templates.welcome(data);
      case 'confirmation':
      case 'correction':
      case 'reminder': {
        const link = createLink('confirm', tokens.link);
        onLink?.(link, 'confirm');
        return templates[kind === 'reminder' ? kind : 'confirmation']({
          ...data,
          link,
          days: CONFIRM_LINK_MS / DAY_MS,
        });
      }
      case 'invite': {
        if (!invites) throw new Error('the email cannot be composed: no INVITE_URL');
        const link = createLink('invite', tokens.link);
        onLink?.(link, 'invite');
        return templates.invite({ ...data, link, days: INVITE_LINK_MS / DAY_MS });
      }
      case 'status':
        return templates.status({ ...data, statusUrl: present(data.statusUrl, 'no STATUS_PAGE') });
      case 'campaign':
        return getTemplate(present(campaign, 'no campaign'))(data, chosen);
      case 'notice': {
        const about = present(notice, 'no notice');
        const toAdmin = { ...brand, dashboardUrl: new URL('/admin', siteUrl ?? brand.url).href };
        return about.type === 'weekly'
          ? templates.weekly({ ...toAdmin, ...about })
          : noticeMail(language, toAdmin, about);
      }
    }
  }

  return (message) => {
    const { kind, email, fields, messageKey, tokens } = message;
    const unsubscribe = unsubscribeLinks(siteUrl, tokens.unsubscribe);
    const content = composeContent(message, {
      ...brand,
      fields,
      unsubscribeUrl: unsubscribe?.page ?? mailto,
      ...(statusPage &&
        siteUrl !== undefined &&
        tokens.status !== null && { statusUrl: createLink('status', tokens.status) }),
    });
    return {
      from,
      to: email,
      ...content,
      subject: oneLine(content.subject),
      messageId: address(messageKey),
      headers: {
        ...(kind !== 'notice' && listHeaders(unsubscribe?.endpoint, mailto)),
        ...(kind !== 'notice' && replies !== null && { 'Reply-To': formatMailbox(replies) }),
        // Mail programs group emails by this header (RFC 2919).
        ...(kind === 'campaign' && { 'List-Id': `<early-access.${domain}>` }),
        // Suppresses out-of-office replies.
        'Auto-Submitted': 'auto-generated',
      },
    };
  };
}

/** The host's templates or the default ones, after testing them. */
function chooseTemplates(
  own: MessageComposerOptions['templates'] = {},
  language: Language,
  example: LinkData & StatusData & WeeklyData,
) {
  const { welcome, confirmation, reminder, invite, status } = defaultTemplates(language);
  return {
    welcome: checked('welcome email', withWords(language, 'welcome', own.welcome) ?? welcome, example),
    confirmation: checked(
      'confirmation email',
      withWords(language, 'confirmation', own.confirmation) ?? confirmation,
      example,
    ),
    reminder: checked('reminder', withWords(language, 'reminder', own.reminder) ?? reminder, example),
    invite: checked('invitation', withWords(language, 'invite', own.invite) ?? invite, example),
    status: checked(
      'email with the link to the status page',
      withWords(language, 'status', own.status) ?? status,
      example,
    ),
    weekly: checked('weekly email', own.weekly ?? defaultWeekly, example),
  };
}

/** RFC 8058: mail programs POST to the first address when their unsubscribe button is pressed. */
function listHeaders(endpoint: string | undefined, mailto: string): Record<string, string> {
  if (endpoint === undefined) return { 'List-Unsubscribe': `<${mailto}>` };
  return {
    'List-Unsubscribe': `<${endpoint}>, <${mailto}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/**
 * The page with an unsubscribe button, and the URL that mail programs POST to. The token is in the query, because both
 * must work without scripts.
 */
function unsubscribeLinks(siteUrl: string | undefined, token: string | null) {
  if (siteUrl === undefined || token === null) return null;
  const createLink = (path: string) => {
    const url = new URL(path, siteUrl);
    url.searchParams.set('token', token);
    return url.href;
  };
  return { page: createLink('/unsubscribe'), endpoint: createLink('/api/unsubscribe') };
}

function present<T>(value: T | null | undefined, reason: string): T {
  if (value === null || value === undefined) throw new Error(`the email cannot be composed: ${reason}`);
  return value;
}
