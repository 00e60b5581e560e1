import kit from '../../../dist/styles.css?raw';

export { kit };

interface HostPage {
  /** Stylesheets in order. */
  styles: readonly string[];
  body: string;
  width?: number;
  attributes?: Readonly<Record<string, string>>;
}

/** Opens a host's page in a frame, laid out and ready to be measured. `dispose` removes it. */
export function openHostPage({ styles, body, width = 1_024, attributes = {} }: HostPage) {
  const frame = document.createElement('iframe');
  frame.style.cssText = `inline-size: ${width}px; block-size: 800px; border: 0`;
  document.body.append(frame);
  const page = frame.contentDocument;
  const view = frame.contentWindow;
  if (!page || !view) throw new Error('the frame has no document');
  page.open();
  page.write(`<!doctype html><html lang="en"><head></head><body>${body}</body></html>`);
  page.close();
  for (const [name, value] of Object.entries(attributes)) page.documentElement.setAttribute(name, value);
  page.head.append(
    ...styles.map((text) => Object.assign(page.createElement('style'), { textContent: text })),
    // Animated elements cannot be measured.
    Object.assign(page.createElement('style'), { textContent: '*, ::before { animation: none !important }' }),
  );
  return { page, view, dispose: () => frame.remove() };
}

/** Returns every computed property of an element and its generated content, by name. */
export function readLooks(view: Window, element: Element): Record<string, string> {
  const looks: Record<string, string> = {};
  const generated = element.matches('input') ? ['::placeholder'] : ['::before', '::after'];
  for (const pseudo of [undefined, ...generated]) {
    const style = view.getComputedStyle(element, pseudo);
    if (pseudo && pseudo !== '::placeholder' && style.content === 'none') continue;
    // A host's custom properties are inherited but have no effect by themselves.
    for (const name of [...style].filter((name) => !name.startsWith('--')))
      looks[`${pseudo ?? ''} ${name}`] = style.getPropertyValue(name);
  }
  return looks;
}
