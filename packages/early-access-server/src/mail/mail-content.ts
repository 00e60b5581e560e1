/** What a template makes: the content of one email. */
export interface MailContent {
  /** One line. */
  readonly subject: string;
  /** The plain text, for programs and people that prefer it. */
  readonly text: string;
  /** A whole HTML document. Values from outside must be escaped in it: see `escapeHtml`. */
  readonly html: string;
}

/** Makes the content of an email. It is called for every delivery attempt and at the start, so it must not have effects. */
export type MailTemplate<Data> = (data: Data) => MailContent;

/** The text for use in HTML, in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
