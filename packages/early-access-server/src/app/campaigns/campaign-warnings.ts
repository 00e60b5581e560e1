import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import { FIELD_TAG, findFieldNames } from './placeholders.ts';

/** The width of the text in an email, in CSS pixels. */
const MAX_PICTURE_WIDTH = 504;
/** Gmail clips emails at 102 kB, and the unsubscribe link is at the end. */
const MAX_HTML_BYTES = 100_000;
const MAX_SHOWN = 60;
const MAX_WARNINGS = 20;

/** In mail programs, any other scheme has no effect or is harmful. */
const SCHEMES: readonly string[] = ['https:', 'http:', 'mailto:', 'tel:'];

/**
 * Returns the target of a link if an email may contain it. Null for others, such as `javascript:` or an address without
 * a scheme. Field tags stay as they are. If they make the URL invalid, it is returned unchanged, and `compileText`
 * rejects it.
 */
export function safeTarget(href: string): string | null {
  // A URL parser would encode the braces of a tag.
  const tags = href.match(FIELD_TAG) ?? [];
  const withoutTags = tags.reduce((text, tag, index) => text.replace(tag, `field-tag-${index}`), href);
  const url = URL.parse(withoutTags);
  if (url === null) return tags.length > 0 ? href : null;
  if (!SCHEMES.includes(url.protocol)) return null;
  return tags.reduceRight((text, tag, index) => text.replace(`field-tag-${index}`, () => tag), url.href);
}

/** The URL of an image if an email may show it, otherwise null. */
export function pictureSource(href: string): string | null {
  const target = safeTarget(href);
  return target?.startsWith('https:') ? target : null;
}

/** Reads an image's width from its title, such as `"320"`, `"320px"` or `"width=320"`. Null if there is none. */
export function pictureWidth(title: string | null | undefined): number | null {
  const [, digits] = /^\s*(?:width\s*[=:]\s*)?([1-9]\d{0,3})\s*(?:px)?\s*$/i.exec(title ?? '') ?? [];
  return digits === undefined ? null : Math.min(Number(digits), MAX_PICTURE_WIDTH);
}

/** A link or image in a text, and its label. */
export interface Reference {
  readonly kind: 'link' | 'picture';
  readonly label: string;
  readonly href: string;
  readonly title: string | null;
}

/**
 * Returns a sentence for each part of an email that mail programs will not show as written: links that lead nowhere,
 * images that are not shown or too large, an end that is clipped. `htmlBytes` is the size of the whole email.
 */
export function findCampaignWarnings(references: readonly Reference[], htmlBytes: number): readonly string[] {
  const found = references.map((reference) =>
    reference.kind === 'link' ? warnAboutLink(reference) : warnAboutPicture(reference),
  );
  const size = htmlBytes > MAX_HTML_BYTES ? warnAboutSize(htmlBytes) : null;
  const warnings = [...new Set([size, ...found])].filter((warning) => warning !== null);
  const hidden = warnings.length - MAX_WARNINGS;
  return hidden > 0 ? [...warnings.slice(0, MAX_WARNINGS), `and ${hidden} more`] : warnings;
}

/** Values that people entered are left out of emails until their address is confirmed (`emailFields`). */
export function warnAboutFields(text: string): readonly string[] {
  const tags = findFieldNames(text).map((name) => `{{fields.${name}}}`);
  if (tags.length === 0) return [];
  return [`${tags.join(', ')}: empty in the emails to people who have not confirmed their address`];
}

function warnAboutLink({ label, href }: Reference): string | null {
  if (safeTarget(href) !== null) return null;
  const meant = findMeantTarget(href);
  const advice =
    meant === null ? 'write its whole address, such as https://www.example.com/page' : `write ${shorten(meant)}`;
  return `the link ${quote(label)} leads nowhere, because ${quote(href)} is not an address; ${advice}`;
}

/** Adds the scheme that the author left out. Null if the target is ambiguous. */
function findMeantTarget(href: string): string | null {
  if (isValidEmail(normalizeEmail(href))) return `mailto:${href}`;
  const isHost = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?:[:/?#]|$)/u.test(href);
  return isHost && URL.canParse(`https://${href}`) ? `https://${href}` : null;
}

function warnAboutPicture({ label, href, title }: Reference): string | null {
  const picture = label === '' ? `the picture ${quote(href)}` : `the picture ${quote(label)}`;
  if (pictureSource(href) === null) return `${picture} is not shown, because its address must begin with https://`;
  if (pictureWidth(title) !== null) return null;
  return `${picture} has no width, so Outlook shows it at full size; add it after the address, ${MAX_PICTURE_WIDTH} at most: (${shorten(href)} "${MAX_PICTURE_WIDTH}")`;
}

function warnAboutSize(bytes: number): string {
  return `the email has ${Math.ceil(bytes / 1_000)} kB of HTML, and Gmail clips emails above 100 kB, which hides the unsubscribe link; shorten it`;
}

function quote(text: string): string {
  return `“${shorten(text)}”`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}
