// Imported as text, because bundling breaks the source that the module exports.
import axe from 'axe-core/axe.min.js?raw';
import { expect, waitFor } from 'storybook/test';

export interface DocumentFrameProps {
  /** A whole HTML document. */
  readonly html: string;
  /** The kind of document, for screen readers. */
  readonly name?: string;
  /** Width of the window in pixels. Default: the available width. */
  readonly width?: number;
}

/** Shows a document in its own window: an email as in a mail client, a page as in a browser. */
export function DocumentFrame({ html, name = 'Email', width }: DocumentFrameProps) {
  return (
    <main aria-label={`${name} of this story`}>
      <h1 style={{ position: 'absolute', inlineSize: 1, blockSize: 1, overflow: 'hidden', clipPath: 'inset(50%)' }}>
        {name}
      </h1>
      <iframe
        title={`The ${name.toLowerCase()}`}
        srcDoc={html}
        onLoad={({ currentTarget }) => prepare(currentTarget)}
        style={{
          display: 'block',
          inlineSize: width ?? '100%',
          maxInlineSize: '100%',
          minBlockSize: '100dvb',
          marginInline: 'auto',
          border: 0,
        }}
      />
    </main>
  );
}

/** Shows the framed documents in the color scheme of the page. */
export function updateFrames(): void {
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('iframe[data-ready]')) {
    if (frame.contentDocument) followPage(frame.contentDocument);
  }
}

/** A page cannot change a frame's media queries, so this imitates Outlook.com's dark mode for emails. */
function followPage({ documentElement }: Document): void {
  const scheme = document.documentElement.dataset.theme ?? '';
  documentElement.toggleAttribute('data-ogsc', scheme === 'dark');
  documentElement.style.colorScheme = scheme;
}

/** axe assumes white for a page without a background, but browsers use the color scheme's. */
function showCanvas({ documentElement, body }: Document): void {
  const isClear = [documentElement, body].every(
    (element) => getComputedStyle(element).backgroundColor === 'rgba(0, 0, 0, 0)',
  );
  if (isClear) documentElement.style.background = 'Canvas';
}

/** Landmarks are the responsibility of the mail client, not the email. */
const FOR_EMAILS = { rules: ['landmark-one-main', 'region'].map((id) => ({ id, enabled: false })) };

/** Sets the frame's height to that of its document, and lets the accessibility check look inside. */
function prepare(frame: HTMLIFrameElement): void {
  const framed = frame.contentDocument;
  if (!framed) return;
  followPage(framed);
  showCanvas(framed);
  fitHeight(frame, framed);
  let width = frame.clientWidth;
  new ResizeObserver(() => {
    if (frame.clientWidth === width) return;
    width = frame.clientWidth;
    fitHeight(frame, framed);
  }).observe(frame);
  const script = framed.createElement('script');
  script.textContent = `${axe};axe.configure(${JSON.stringify(FOR_EMAILS)})`;
  framed.head.append(script);
  frame.dataset.ready = '';
}

/** Resets the height first, because a page is at least as high as its window. */
function fitHeight(frame: HTMLIFrameElement, { documentElement }: Document): void {
  frame.style.blockSize = '';
  frame.style.blockSize = `${documentElement.scrollHeight}px`;
}

/** The narrowest supported window: 400% zoom (WCAG 1.4.10). */
const NARROW = '320px';

/** Waits until the document is shown, checks that it fits at its width and in a narrow window, and returns it. */
export async function shownDocument(canvas: HTMLElement): Promise<Document> {
  const [frame, framed] = await waitFor(() => {
    const shown = canvas.querySelector<HTMLIFrameElement>('iframe[data-ready]');
    if (!shown?.contentDocument) throw new Error('the document is not shown yet');
    return [shown, shown.contentDocument] as const;
  });
  const own = frame.style.inlineSize;
  for (const width of [NARROW, own]) {
    frame.style.inlineSize = width;
    await expect(framed.documentElement.scrollWidth).toBeLessThanOrEqual(framed.documentElement.clientWidth);
  }
  return framed;
}
