import { StorageError } from 'early-access-kit/core';
import type { Brand } from '../../app/brand/brand.ts';
import { describeDot, peoplePerDot } from '../../app/brand/dots.ts';
import { getDirection, type Language } from '../../app/brand/language.ts';
import type { Palette } from '../../app/brand/palette.ts';
import { brandTokens, fontFace } from '../../app/brand/tokens.ts';
import type { WeeklyReport } from '../../app/mail/notice.ts';
import type { MailContent } from '../../app/ports/mail-transport.ts';
import { type MarkdownLook, markdownToHtml } from '../compose/markdown.ts';
import { markdownToText } from '../compose/plain-text.ts';
import { DAYS_TITLE, type DefaultMail, NUMBER, toText } from './default-mail.ts';
import { escapeHtml } from './escape-html.ts';
import type { MailBrand } from './template.ts';

type Look = ReturnType<typeof mailLook>;

/** The brand's design tokens, and its text style. */
function mailLook(brand: Pick<Brand, 'colors' | 'radius' | 'font'>) {
  const tokens = brandTokens(brand);
  return {
    ...tokens,
    text: (color: string, size: number, line: number) =>
      `margin:0;font-family:${tokens.family}${SYSTEM_FONTS};font-size:${size}px;color:${color};word-break:break-word;line-height:${line}px`,
  };
}

const SYSTEM_FONTS = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** Outlook on Windows falls back to Times if it does not know the first family. */
const MICROSOFT_FONTS = '<!--[if mso]><style>*{font-family:Arial,sans-serif!important}</style><![endif]-->\n';
/** Prevents mail programs from filling the preview line with the text that follows. */
const PREVIEW_PADDING = '&#847;&zwnj;&nbsp;'.repeat(60);

/** Lays out the words with the brand's colors, and its name or logo. */
export function layOut(brand: MailBrand, mail: DefaultMail): MailContent {
  return { subject: mail.subject, text: toText(brand, mail), html: toHtml(brand, mail) };
}

/**
 * HTML that mail programs support: tables, inline styles, at most 600 px wide, loading only the brand's files. Programs
 * that support the style element get dark colors and the phone layout.
 */
function toHtml(data: MailBrand, mail: DefaultMail): string {
  const { name, url, logo, markUrl, fontUrl, fontWeights = 'normal' } = data;
  const look = mailLook(data);
  const { light, dark, radius, text } = look;
  const { preview, language } = mail;
  const direction = getDirection(language);
  const brand = logo
    ? `<img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:block;border:0;height:40px;width:auto;max-width:100%;font:700 20px/40px sans-serif">`
    : markUrl
      ? `<img src="${escapeHtml(markUrl)}" alt="" height="32" style="display:inline-block;border:0;height:32px;width:auto;max-width:128px;vertical-align:middle">&nbsp; ${escapeHtml(name)}`
      : escapeHtml(name);
  const footer = mail.footer.map(({ text, link }) => {
    if (link === undefined) return `<br>${escapeHtml(text)}`;
    const target = `href="${escapeHtml(link.target)}" class="muted-on-paper" style="color:${light.mutedOnPaper}"`;
    // After a full-width colon (Chinese, Japanese), no period follows the link.
    return `${escapeHtml(text)} <a ${target}>${escapeHtml(link.label)}</a>${text.endsWith('：') ? '' : '.'}`;
  });
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(mail.subject)}</title>
${look.face === null ? '' : MICROSOFT_FONTS}<style>
${fontUrl === undefined ? '' : `@media screen{${fontFace(look.face, fontUrl, fontWeights)}}\n`}:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){
.outer{padding:20px 12px!important}
.pad{padding-left:24px!important;padding-right:24px!important}
.head{font-size:28px!important;line-height:34px!important}
.button a{display:block!important;text-align:center!important}
.button{width:100%!important}
}
@media (prefers-color-scheme:dark){${darkRules('', dark)}
}${darkRules('[data-ogsc] ', dark)}
</style>
</head>
<body class="paper" dir="${direction}" style="margin:0;padding:0;background:${light.paper};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preview)}${PREVIEW_PADDING}</div>
<table ${LAYOUT} width="100%" class="paper" dir="${direction}" style="background:${light.paper}">
<tr><td class="outer" align="center" style="padding:40px 16px">
<table ${LAYOUT} width="100%" style="max-width:600px">
<tr><td class="pad" style="padding:0 48px 20px"><a href="${escapeHtml(url)}" class="ink-on-paper" style="${text(light.inkOnPaper, 20, 28)};font-weight:700${direction === 'rtl' ? '' : ';letter-spacing:-0.2px'};text-decoration:none">${brand}</a></td></tr>
<tr><td class="sheet" style="background:${light.sheet};border:1px solid ${light.line};border-radius:${radius.sheet}px">
<table ${LAYOUT} width="100%">${renderSections(mail, look)}
</table>
</td></tr>
<tr><td class="pad" style="padding:24px 48px 0">
<p class="muted-on-paper" style="${text(light.mutedOnPaper, 13, 20)}">${footer.join(' ')}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function renderSections(
  { language, opening, figures = [], dailySignups = [], button, closing }: DefaultMail,
  look: Look,
): string {
  const { light, radius, text } = look;
  const isRtl = getDirection(language) === 'rtl';
  const border = `border-bottom:1px solid ${light.line}`;
  const heading = headingStyle(look, isRtl);
  const value = `align="${isRtl ? 'left' : 'right'}" style="padding:10px ${isRtl ? '12px 10px 0' : '0 10px 12px'};${border}`;
  const figure = ({ label, value: shown, change }: WeeklyReport['figures'][number]) => `
<tr><td class="muted line" style="${text(light.muted, 15, 24)};padding:10px 0;${border}">${escapeHtml(label)}</td><td class="ink line" ${value};${text(light.ink, 15, 24)};font-weight:600">${escapeHtml(shown)}</td><td class="muted line" ${value};${text(light.muted, 15, 24)}">${escapeHtml(change)}</td></tr>`;
  const sections = [
    {
      top: 44,
      // Each block of an admin's text already has space below it.
      bottom: 'html' in opening ? 28 : 44,
      html:
        'html' in opening
          ? inLanguage(opening, language)
          : `<h1 class="ink head" style="${heading}">${escapeHtml(opening.heading)}</h1>
<p class="ink" style="${text(light.ink, 17, 27)};padding-top:16px">${escapeHtml(opening.intro)}</p>`,
    },
    figures.length > 0 && {
      top: 20,
      html: `<table ${LAYOUT} width="100%">${figures.map(figure).join('')}\n</table>`,
    },
    dailySignups.length > 0 && { top: 28, html: renderDays(dailySignups, look) },
    button && {
      top: 28,
      html: `<table ${LAYOUT} class="button"><tr><td class="accent" style="background:${light.accent};border-radius:${radius.control}px">
<a href="${escapeHtml(button.target)}" class="on-accent" style="${text(light.onAccent, 16, 22)};display:inline-block;padding:13px 24px;font-weight:600;text-decoration:none;border:1px solid ${light.link};border-radius:${radius.control}px">${escapeHtml(button.label)}</a>
</td></tr></table>`,
    },
    closing && {
      top: 36,
      html: `<table ${LAYOUT} width="100%"><tr><td class="line" style="border-top:1px solid ${light.line};padding-top:28px">
<h2 class="ink" style="${text(light.ink, 17, 26)};font-weight:600">${escapeHtml(closing.heading)}</h2>
<p class="muted" style="${text(light.muted, 16, 25)};padding-top:4px">${escapeHtml(closing.text)}</p>
</td></tr></table>`,
    },
  ].filter((section) => typeof section === 'object');
  return sections
    .map(({ top, html, bottom = 44 }, at) => {
      const below = at === sections.length - 1 ? bottom : 0;
      return `\n<tr><td class="pad" style="padding:${top}px 48px ${below}px">\n${html}\n</td></tr>`;
    })
    .join('');
}

/** Sets the language and direction of an admin's text, which may differ from the rest of the email. */
function inLanguage(opening: { readonly html: string; readonly language: Language }, around: Language): string {
  const { html, language } = opening;
  return language === around ? html : `<div lang="${language}" dir="${getDirection(language)}">${html}</div>`;
}

/** The most dots that fit in a row on the narrowest phone. */
const MOST_DOTS = 12;

/** Signups per day as dots. Uses characters, because mail programs do not show styles or images reliably. */
function renderDays(days: WeeklyReport['dailySignups'], { light, text }: Look): string {
  const people = peoplePerDot((step) => days.every(({ signups }) => signups / step <= MOST_DOTS));
  const row = ({ label, signups }: WeeklyReport['dailySignups'][number]) => `
<tr><td class="muted" width="44" style="${text(light.muted, 15, 26)}">${escapeHtml(label)}</td><td class="ink" width="40" align="right" style="${text(light.ink, 15, 26)};font-weight:600">${NUMBER.format(signups)}</td><td class="link" aria-hidden="true" style="${text(light.link, 14, 26)};padding-left:16px;letter-spacing:2px;white-space:nowrap">${'●'.repeat(Math.ceil(signups / people))}</td></tr>`;
  return `<h2 class="ink" style="${text(light.ink, 17, 26)};font-weight:600;padding-bottom:8px">${DAYS_TITLE}</h2>
<table ${LAYOUT} width="100%">${days.map(row).join('')}
</table>
<p class="muted" aria-hidden="true" style="${text(light.muted, 13, 20)};padding-top:8px">${describeDot(people)}</p>`;
}

function headingStyle({ light, text }: Look, isRtl: boolean): string {
  // Letter spacing would break the joined letters of Arabic.
  return `${text(light.ink, 34, 40)};font-weight:700${isRtl ? '' : ';letter-spacing:-0.6px'}`;
}

/**
 * Renders an admin's text for the top of an email. The plain text has to be wrapped with `wrapText`. Throws a
 * `StorageError` if it is nested too deeply.
 */
export function readMarkdown(brand: Brand, language: Language, markdown: string): { html: string; text: string } {
  try {
    const look = markdownLook(mailLook(brand), getDirection(language) === 'rtl');
    return { html: markdownToHtml(markdown, look), text: markdownToText(markdown) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StorageError('invalid', 'the text is nested too deeply for an email', { cause: error });
  }
}

function markdownLook(look: Look, isRtl: boolean): MarkdownLook {
  const { light, text } = look;
  const heading = headingStyle(look, isRtl);
  const start = isRtl ? 'right' : 'left';
  const ink = text(light.ink, 17, 27);
  return {
    heading: (depth) => {
      if (depth === 1) return `class="ink head" style="${heading};padding-bottom:16px"`;
      const size = depth === 2 ? text(light.ink, 22, 30) : text(light.ink, 17, 27);
      return `class="ink" style="${size};font-weight:600;padding:12px 0"`;
    },
    text: `class="ink" style="${ink};padding-bottom:16px"`,
    list: `class="ink" style="${ink};padding:0 24px 16px"`,
    quote: `class="muted line" style="${text(light.muted, 17, 27)};margin-bottom:16px;padding:16px 20px 0;border:0 solid ${light.line};border-${start}-width:3px"`,
    code: `class="muted" style="${text(light.muted, 14, 22)};font-family:monospace;white-space:pre-wrap;padding-bottom:16px"`,
    link: `class="link" style="color:${light.link}"`,
    rule: `class="line" style="border:0;border-top:1px solid ${light.line};margin:12px 0 28px"`,
    table: 'style="margin-bottom:16px"',
    cell: `${text(light.ink, 15, 24)};padding:8px;border-bottom:1px solid ${light.line}`,
  };
}

/** Apple Mail and others support the media query; Outlook.com uses its own attribute. */
function darkRules(prefix: string, dark: Palette): string {
  const rules = {
    paper: `background:${dark.paper}`,
    sheet: `background:${dark.sheet}!important;border-color:${dark.line}`,
    line: `border-color:${dark.line}`,
    ink: `color:${dark.ink}`,
    muted: `color:${dark.muted}`,
    link: `color:${dark.link}`,
    'ink-on-paper': `color:${dark.inkOnPaper}`,
    'muted-on-paper': `color:${dark.mutedOnPaper}`,
    accent: `background:${dark.accent}`,
    'on-accent': `color:${dark.onAccent}!important;border-color:${dark.link}`,
  };
  return Object.entries(rules)
    .map(([name, rule]) => `\n${prefix}.${name}{${rule}!important}`)
    .join('');
}
