import css from './embed.css?inline';

let sheet: CSSStyleSheet | undefined;

/** Creates a stylesheet by script, which a policy against inline styles allows. */
export function createSheet(text: string): CSSStyleSheet {
  const created = new CSSStyleSheet();
  created.replaceSync(text);
  return created;
}

/** Attaches a shadow root with the widgets' styles. */
export function widgetRoot(element: HTMLElement): ShadowRoot {
  const root = element.attachShadow({ mode: 'open' });
  applyStyles(root);
  return root;
}

/** Applies the shared widget styles and additional sheets. */
export function applyStyles(root: ShadowRoot, ...more: CSSStyleSheet[]): void {
  sheet ??= createSheet(css);
  root.adoptedStyleSheets = [sheet, ...more];
}
