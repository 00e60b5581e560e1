/** Warm paper, black ink and one spot colour, as on the site. */
export const COLOURS = {
  paper: '#f1ece0',
  sheet: '#fbf8f0',
  ink: '#1b1815',
  soft: '#5a5147',
  line: '#cfc6b4',
  spot: '#ee4b2b',
  /** The spot colour where it has to be read. */
  spotType: '#bf3016',
} as const;

const DARK = {
  paper: '#15110f',
  sheet: '#221c18',
  ink: '#f1e8dc',
  soft: '#b8ab9c',
  line: '#41372f',
  spotType: '#ff7455',
} as const;

/** For the classes of the HTML. Apple Mail and others follow the media query, Outlook.com its own attribute. */
const rules = (prefix: string) => `
${prefix}.paper{background:${DARK.paper}!important}
${prefix}.sheet{background:${DARK.sheet}!important;border-color:${DARK.line}!important}
${prefix}.ink{color:${DARK.ink}!important}
${prefix}.ink-fill{background:${DARK.ink}!important}
${prefix}.soft{color:${DARK.soft}!important}
${prefix}.spot{color:${DARK.spotType}!important}
${prefix}.rule{border-color:${DARK.line}!important}`;

/** Narrow screens: less margin, and the figures of the comparison below their labels. */
const PHONE = `
.pad{padding-left:24px!important;padding-right:24px!important}
.head{font-size:54px!important;line-height:50px!important}
.stack{display:block!important;text-align:left!important}
.figure{border-top:0!important;padding-top:0!important}`;

/** The style element: colours of the dark and the layout of phones. What drops it shows the light, wide one. */
export const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){${PHONE}
}
@media (prefers-color-scheme:dark){${rules('')}
}${rules('[data-ogsc] ')}
`;
