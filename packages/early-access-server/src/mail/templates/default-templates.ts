import { type FieldDeclarations, StorageError } from 'early-access-kit/core';
import type { Brand } from '../../app/brand/brand.ts';
import { getDirection, type Language } from '../../app/brand/language.ts';
import { findFieldNames, findPlaceholderProblem } from '../../app/campaigns/placeholders.ts';
import type { MailContent } from '../../app/ports/mail-transport.ts';
import { choiceLabel } from '../../app/signup/fields.ts';
import { findCostProblem } from '../../app/text/text-cost.ts';
import { withFields } from '../compose/campaign-fields.ts';
import { wrapText } from '../compose/plain-text.ts';
import { layOut, readMarkdown } from './default-layout.ts';
import type { DefaultMail } from './default-mail.ts';
import { escapeHtml } from './escape-html.ts';
import type { LinkData, MailTemplate, PersonMailData, TemplateData, TemplateName } from './template.ts';
import { ar } from './texts/ar.ts';
import { de } from './texts/de.ts';
import { en, type Texts, type Words } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';
import { it } from './texts/it.ts';
import { ja } from './texts/ja.ts';
import { nl } from './texts/nl.ts';
import { pl } from './texts/pl.ts';
import { ptBR } from './texts/pt-br.ts';
import { zhHans } from './texts/zh-hans.ts';

export const TEXTS: Readonly<Record<Language, Texts>> = {
  en,
  es,
  ar,
  de,
  fr,
  it,
  ja,
  nl,
  pl,
  'pt-BR': ptBR,
  'zh-Hans': zhHans,
};

/** The default emails, with the brand's name, colors and logo. */
export function defaultTemplates(language: Language): {
  readonly [Name in Exclude<TemplateName, 'signIn' | 'weekly'>]: MailTemplate<TemplateData[Name]>;
} {
  const texts = TEXTS[language];
  const toPerson = (words: Words, data: PersonMailData, link: string | null) =>
    layOut(data, {
      ...createMail(language, words, link ?? data.url, link !== null),
      footer: createFooter(texts, data),
    });
  const withLink = (words: Texts['invite']) => (data: LinkData) => toPerson(words(data), data, data.link);
  return {
    welcome: (data) => toPerson(texts.welcome(data), data, null),
    confirmation: withLink(texts.confirmation),
    reminder: withLink(texts.reminder),
    invite: withLink(texts.invite),
    // Without the footer's link to the status page, because the button already has it.
    status: (data) => toPerson(texts.status(data), { ...data, statusUrl: undefined }, data.statusUrl),
  };
}

/** Passes the default email in this language to the template, so that a host can change only the design. */
export function withWords<Data extends PersonMailData>(
  language: Language,
  name: Exclude<TemplateName, 'signIn' | 'weekly'>,
  template: MailTemplate<Data> | undefined,
): MailTemplate<Data> | undefined {
  const { footer, ...texts } = TEXTS[language];
  return (
    template &&
    ((data) => {
      const { closing, ...words } = texts[name]({ link: '', days: 0, ...data });
      return template({
        ...data,
        language,
        direction: getDirection(language),
        words: {
          ...words,
          closingHeading: closing.heading,
          closingText: closing.text,
          onListOf: footer.onListOf,
          yourData: footer.yourData,
          yourPage: footer.yourPage,
          unwanted: footer.unwanted,
          leave: leaveLabel(footer, data),
        },
      });
    })
  );
}

function leaveLabel({ deleteAddress, unsubscribe }: Texts['footer'], { unsubscribeUrl }: PersonMailData): string {
  return unsubscribeUrl.startsWith('mailto:') ? deleteAddress : unsubscribe;
}

interface CampaignSettings {
  /** Null: the footer contains no postal address. */
  readonly postalAddress?: string | null;
  /** The host's fields, whose choices have labels. */
  readonly fields?: FieldDeclarations | undefined;
}

/**
 * An admin's email to many people, with an unsubscribe link and the sender's postal address. `body` is Markdown, which
 * is parsed once for all recipients. Body and subject may contain a person's fields. They are in the language
 * `written`, which may differ from the rest. Throws a `StorageError` if the text cannot be sent.
 */
export function campaignTemplate(
  written: Language,
  brand: Brand,
  { subject, body }: { readonly subject: string; readonly body: string },
  { postalAddress = null, fields = {} }: CampaignSettings = {},
): (data: PersonMailData, language: Language) => MailContent {
  const source = `${subject}\n${body}`;
  const problem = findPlaceholderProblem(source, findFieldNames(source)) ?? findCostProblem(body);
  if (problem !== null) throw new StorageError('invalid', problem);
  const opening = readMarkdown(brand, written, body);
  const labelOf = choiceLabel(fields);
  const line = withFields(subject, String, labelOf);
  const text = withFields(opening.text, String, labelOf);
  const html = withFields(opening.html, escapeHtml, labelOf);
  return (data, language) =>
    layOut(data, {
      language,
      subject: line(data.fields),
      preview: '',
      opening: { html: html(data.fields), text: wrapText(text(data.fields)), language: written },
      footer: [...createFooter(TEXTS[language], data), ...(postalAddress === null ? [] : [{ text: postalAddress }])],
    });
}

/** The email with this content, whose button leads to `target`. */
export function createMail(language: Language, words: Words, target: string, inText: boolean) {
  const { heading, intro, button, ...rest } = words;
  return { language, ...rest, opening: { heading, intro }, button: { label: button, target, inText } };
}

function createFooter({ footer }: Texts, data: PersonMailData): DefaultMail['footer'] {
  const { host, url, unsubscribeUrl, statusUrl } = data;
  return [
    { text: footer.onListOf, link: { label: host, target: url } },
    ...(statusUrl === undefined
      ? []
      : [{ text: footer.yourData, link: { label: footer.yourPage, target: statusUrl } }]),
    { text: footer.unwanted, link: { label: leaveLabel(footer, data), target: unsubscribeUrl } },
  ];
}
