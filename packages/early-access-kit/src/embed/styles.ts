import css from './embed.css?inline';

let sheet: CSSStyleSheet | undefined;

/** A sheet made by script: a policy that forbids inline styles allows it. */
export function sheetOf(text: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

/** Gives the element a shadow root with the looks of the widgets. */
export function widgetRoot(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: 'open' });
  dress(root);
  return root;
}

/** The looks of the widgets, shared by all of them, and what one of them has beside. */
export function dress(root: ShadowRoot, ...more: CSSStyleSheet[]): void {
  sheet ??= sheetOf(css);
  root.adoptedStyleSheets = [sheet, ...more];
}
