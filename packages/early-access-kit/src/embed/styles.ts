import css from './embed.css?inline';

let sheet: CSSStyleSheet | undefined;

/** Creates a stylesheet from script, which a policy against inline styles allows. */
export function sheetOf(text: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}

/** Attaches a shadow root with the widgets' styles. */
export function widgetRoot(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: 'open' });
  dress(root);
  return root;
}

/** Applies the shared widget styles and additional sheets. */
export function dress(root: ShadowRoot, ...more: CSSStyleSheet[]): void {
  sheet ??= sheetOf(css);
  root.adoptedStyleSheets = [sheet, ...more];
}
