import type { Links } from './links.ts';
import { COLOURS, STYLES } from './look.ts';
import * as words from './words.ts';

const { paper, sheet, ink, soft, line, spot, spotType } = COLOURS;
const DISPLAY = "'Avenir Next Condensed','Roboto Condensed','Arial Narrow',Arial,sans-serif";
const BODY = "Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,serif";
const MONO = "Menlo,Consolas,'DejaVu Sans Mono',monospace";
const LAYOUT = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const TEXT = `margin:0;font:400 17px/26px ${BODY};color:${ink}`;
const LABEL = `margin:0;font:700 12px/18px ${MONO};letter-spacing:1px;text-transform:uppercase;color:${soft}`;

/**
 * The email as mail programs can show it: tables, styles inline, 600 px wide at most, nothing loaded from anywhere. A sheet of a
 * print studio, with its registration marks and a control strip. Programs that keep the style element get the dark colours.
 */
export function toHtml({ site, removal }: Links): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escaped(words.SUBJECT)}</title>
<style>${STYLES}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${paper};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escaped(words.PREVIEW)}${PADDING}</div>
<table ${LAYOUT} width="100%" class="paper" style="background:${paper}">
<tr><td align="center" style="padding:24px 12px">
<table ${LAYOUT} width="100%" style="max-width:600px">
<tr><td>${marks(`<a href="${escaped(site)}" class="ink" style="color:${ink};text-decoration:none">PrintMargin</a>`)}</td></tr>
<tr><td class="sheet" style="background:${sheet};border:1px solid ${line}">
${controlStrip()}
<table ${LAYOUT} width="100%">
<tr><td class="pad" style="padding:40px 44px 0">
<h1 class="ink head" style="margin:0;font:800 68px/62px ${DISPLAY};letter-spacing:-2px;color:${ink}">${words.HEADING.map(escaped).join('<br>')}</h1>
<p class="ink" style="${TEXT};padding-top:20px">${escaped(words.THANKS)}</p>
</td></tr>
<tr><td class="pad" style="padding:32px 44px 0">
${comparison()}
</td></tr>
<tr><td class="pad" style="padding:32px 44px 0">
<h2 class="soft" style="${LABEL}">${escaped(words.BENEFITS_HEADING)}</h2>
<table ${LAYOUT} width="100%" style="margin-top:10px">${words.BENEFITS.map(benefit).join('')}</table>
</td></tr>
<tr><td class="pad" style="padding:32px 44px 44px">
<h2 class="soft" style="${LABEL}">${escaped(words.NEXT_HEADING)}</h2>
<p class="ink" style="${TEXT};padding-top:8px">${escaped(words.NEXT)}</p>
</td></tr>
</table>
</td></tr>
<tr><td>${marks('')}</td></tr>
<tr><td style="padding:12px 8px 0">
<p class="soft" style="margin:0;font:400 14px/21px ${BODY};color:${soft}">${escaped(words.WHY)} <a href="${escaped(site)}" class="soft" style="color:${soft}">${escaped(siteName(site))}</a>. ${escaped(words.REMOVAL)} <a href="${escaped(removal)}" class="soft" style="color:${soft}">${escaped(words.REMOVAL_LINK)}</a>, ${escaped(words.REMOVAL_PROMISE)}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** Keeps mail programs from filling the preview line with what comes next. */
const PADDING = '&#847;&zwnj;&nbsp;'.repeat(60);

/** Registration marks left and right, as on the edge of a printed sheet. Characters, since remote pictures are not shown. */
function marks(middle: string): string {
  const mark = (align: string) =>
    `<td width="32" align="${align}" aria-hidden="true" class="soft" style="font:400 20px/40px Arial,sans-serif;color:${soft}">&#8853;</td>`;
  return `<table ${LAYOUT} width="100%"><tr>${mark('left')}<td align="center" style="font:800 20px/40px ${DISPLAY};letter-spacing:-0.3px">${middle}</td>${mark('right')}</tr></table>`;
}

/** The strip by which printers check their inks. */
function controlStrip(): string {
  const patch = (colour: string, name = '') =>
    `<td height="8" class="${name}" style="background:${colour};font-size:0;line-height:8px">&nbsp;</td>`;
  const patches = [patch(ink, 'ink-fill'), ...[spot, '#f2a48f', '#f8d5c8', line, soft].map((colour) => patch(colour))];
  return `<table ${LAYOUT} width="100%" aria-hidden="true" style="table-layout:fixed"><tr>${patches.join('')}${patches.slice(0, 2).join('')}</tr></table>`;
}

function comparison(): string {
  const before = figure(words.BEFORE, `color:${soft};text-decoration:line-through`, 'soft');
  const after = figure(words.AFTER, `color:${spotType}`, 'spot');
  return `<table ${LAYOUT} width="100%">${before}${after}</table>`;
}

function figure({ label, time }: { label: string; time: string }, style: string, name: string): string {
  const above = `border-top:1px solid ${line}`;
  return `<tr>
<td class="soft rule stack" style="padding:12px 0;${above};font:400 14px/20px ${MONO};color:${soft}">${escaped(label)}</td>
<td class="${name} rule stack figure" align="right" style="padding:12px 0;${above};font:800 34px/36px ${DISPLAY};letter-spacing:-1px;white-space:nowrap;${style}">${escaped(time)}</td>
</tr>`;
}

function benefit([title, text]: readonly [string, string]): string {
  return `<tr>
<td width="26" valign="top" aria-hidden="true" class="spot" style="font:700 17px/26px ${MONO};color:${spotType};padding:5px 0">+</td>
<td class="ink" style="${TEXT};padding:5px 0"><strong>${escaped(title)}</strong>: ${escaped(text)}</td>
</tr>`;
}

function siteName(site: string): string {
  return site.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
