import type { Brand } from '../app/brand.ts';
import { type Palette, palettesOf } from '../app/palette.ts';
import { escapeHtml, type MailContent } from './mail-content.ts';

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
/** Keeps mail programs from filling the preview line with the text that follows it. */
const PREVIEW_PADDING = '&#847;&zwnj;&nbsp;'.repeat(60);
const TEXT_WIDTH = 72;

interface Link {
  readonly label: string;
  readonly target: string;
}

/** One line of a table of figures. */
interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/** The words of an email of a host without its own templates. */
export interface DefaultMail {
  readonly subject: string;
  /** What the list of emails shows after the subject. */
  readonly preview: string;
  readonly heading: string;
  readonly intro: string;
  readonly figures?: readonly Figure[];
  /** `inText`: the plain text contains it too. */
  readonly button: Link & { readonly inText?: boolean };
  readonly closing: { readonly heading: string; readonly text: string };
  /** Why the person received it, and what to do if they should not have. */
  readonly footer: readonly { readonly text: string; readonly link: Link }[];
}

/** The words in the colours of the brand, with its name or logo, and nothing else about the product. */
export function layOut(brand: Brand, mail: DefaultMail): MailContent {
  return { subject: mail.subject, text: toText(brand, mail), html: toHtml(brand, mail) };
}

function toText({ name }: Brand, { heading, intro, figures = [], button, closing, footer }: DefaultMail): string {
  return [
    heading.toUpperCase(),
    wrap(intro),
    ...(figures.length === 0
      ? []
      : [figures.map(({ label, value, note }) => wrap(`${label}: ${value} ${note}`.trim())).join('\n')]),
    ...(button.inText ? [`${button.label}:\n${button.target}`] : []),
    closing.heading.toUpperCase(),
    wrap(closing.text),
    name,
    `-- \n${footer.map(footerText).join('\n\n')}`,
  ].join('\n\n');
}

function footerText({ text, link: { label, target } }: DefaultMail['footer'][number]): string {
  // A label that is the address itself would only repeat it.
  return `${wrap(target.includes(label) ? text : `${text} ${label}:`)}\n${target}`;
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > TEXT_WIDTH && line !== '') lines.push(line);
    line = longer.length > TEXT_WIDTH ? word : longer;
  }
  return [...lines, line].join('\n');
}

/**
 * The email as mail programs can show it: tables, styles inline, at most 600 px wide, nothing loaded but the logo. Programs that keep
 * the style element get the dark colours and the layout for phones.
 */
function toHtml({ name, url, colours, logo }: Brand, mail: DefaultMail): string {
  const { light, dark } = palettesOf(colours);
  const brand = logo
    ? `<img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:block;border:0;height:40px;width:auto;max-width:100%;font:700 20px/40px sans-serif">`
    : escapeHtml(name);
  const text = (colour: string, size: string) =>
    `margin:0;${FONT};font-size:${size};color:${colour};word-break:break-word`;
  const footerLink = ({ label, target }: Link) =>
    `<a href="${escapeHtml(target)}" class="muted-on-paper" style="color:${light.mutedOnPaper}">${escapeHtml(label)}</a>`;
  const figure = ({ label, value, note }: Figure) => `
<tr><td class="muted line" style="${text(light.muted, '15px')};line-height:24px;padding:10px 0;border-bottom:1px solid ${light.line}">${escapeHtml(label)}</td><td class="ink line" align="right" style="${text(light.ink, '15px')};line-height:24px;padding:10px 0 10px 12px;border-bottom:1px solid ${light.line};font-weight:600">${escapeHtml(value)}</td><td class="muted line" align="right" style="${text(light.muted, '15px')};line-height:24px;padding:10px 0 10px 12px;border-bottom:1px solid ${light.line}">${escapeHtml(note)}</td></tr>`;
  const figures =
    mail.figures === undefined
      ? ''
      : `
<tr><td class="pad" style="padding:20px 48px 0">
<table ${LAYOUT} width="100%">${mail.figures.map(figure).join('')}
</table>
</td></tr>`;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escapeHtml(mail.subject)}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
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
<body class="paper" style="margin:0;padding:0;background:${light.paper};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(mail.preview)}${PREVIEW_PADDING}</div>
<table ${LAYOUT} width="100%" class="paper" style="background:${light.paper}">
<tr><td class="outer" align="center" style="padding:40px 16px">
<table ${LAYOUT} width="100%" style="max-width:600px">
<tr><td class="pad" style="padding:0 48px 20px"><a href="${escapeHtml(url)}" class="ink-on-paper" style="${text(light.inkOnPaper, '20px')};line-height:28px;font-weight:700;letter-spacing:-0.2px;text-decoration:none">${brand}</a></td></tr>
<tr><td class="sheet" style="background:${light.sheet};border:1px solid ${light.line};border-radius:12px">
<table ${LAYOUT} width="100%">
<tr><td class="pad" style="padding:44px 48px 0">
<h1 class="ink head" style="${text(light.ink, '34px')};line-height:40px;font-weight:700;letter-spacing:-0.6px">${escapeHtml(mail.heading)}</h1>
<p class="ink" style="${text(light.ink, '17px')};line-height:27px;padding-top:16px">${escapeHtml(mail.intro)}</p>
</td></tr>${figures}
<tr><td class="pad" style="padding:28px 48px 0">
<table ${LAYOUT} class="button"><tr><td class="accent" style="background:${light.accent};border-radius:8px">
<a href="${escapeHtml(mail.button.target)}" class="on-accent" style="${text(light.onAccent, '16px')};display:inline-block;padding:13px 24px;line-height:22px;font-weight:600;text-decoration:none;border:1px solid ${light.link};border-radius:8px">${escapeHtml(mail.button.label)}</a>
</td></tr></table>
</td></tr>
<tr><td class="pad" style="padding:36px 48px 44px">
<table ${LAYOUT} width="100%"><tr><td class="line" style="border-top:1px solid ${light.line};padding-top:28px">
<h2 class="ink" style="${text(light.ink, '17px')};line-height:26px;font-weight:600">${escapeHtml(mail.closing.heading)}</h2>
<p class="muted" style="${text(light.muted, '16px')};line-height:25px;padding-top:4px">${escapeHtml(mail.closing.text)}</p>
</td></tr></table>
</td></tr>
</table>
</td></tr>
<tr><td class="pad" style="padding:24px 48px 0">
<p class="muted-on-paper" style="${text(light.mutedOnPaper, '13px')};line-height:20px">${mail.footer.map(({ text, link }) => `${escapeHtml(text)} ${footerLink(link)}.`).join(' ')}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Apple Mail and others follow the media query, Outlook.com its own attribute. */
function darkRules(prefix: string, dark: Palette): string {
  const rules = {
    paper: `background:${dark.paper}`,
    sheet: `background:${dark.sheet}!important;border-color:${dark.line}`,
    line: `border-color:${dark.line}`,
    ink: `color:${dark.ink}`,
    muted: `color:${dark.muted}`,
    'ink-on-paper': `color:${dark.inkOnPaper}`,
    'muted-on-paper': `color:${dark.mutedOnPaper}`,
    accent: `background:${dark.accent}`,
    'on-accent': `color:${dark.onAccent}!important;border-color:${dark.link}`,
  };
  return Object.entries(rules)
    .map(([name, rule]) => `\n${prefix}.${name}{${rule}!important}`)
    .join('');
}
