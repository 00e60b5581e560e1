import axe from 'axe-core';
import { expect, waitFor } from 'storybook/test';

export interface MailFrameProps {
  /** The document of the email. */
  readonly html: string;
  /** Width of the window it is read in, in pixels; all there is by default. */
  readonly width?: number;
}

/**
 * An email in a document of its own, as in a mail program. A dark story shows it as Outlook.com does in the dark, because a page cannot
 * change the media query of a frame.
 */
export function MailFrame({ html, width }: MailFrameProps) {
  const isDark = document.documentElement.dataset.theme === 'dark';
  return (
    <main>
      <h1 style={{ position: 'absolute', inlineSize: 1, blockSize: 1, overflow: 'hidden', clipPath: 'inset(50%)' }}>
        Email
      </h1>
      <iframe
        title="The email"
        srcDoc={isDark ? html.replace('<html ', '<html data-ogsc ') : html}
        onLoad={({ currentTarget }) => prepare(currentTarget)}
        style={{
          display: 'block',
          inlineSize: width ?? '100%',
          maxInlineSize: '100%',
          marginInline: 'auto',
          border: 0,
        }}
      />
    </main>
  );
}

/** The mail program around an email has the landmarks. */
const FOR_EMAILS = { rules: ['landmark-one-main', 'region'].map((id) => ({ id, enabled: false })) };

/** Gives the frame the height of the email, and lets the accessibility check of the story look into it. */
function prepare(frame: HTMLIFrameElement): void {
  const email = frame.contentDocument;
  if (!email) return;
  frame.style.blockSize = `${email.documentElement.scrollHeight}px`;
  const script = email.createElement('script');
  script.textContent = `${axe.source};axe.configure(${JSON.stringify(FOR_EMAILS)})`;
  email.head.append(script);
  frame.dataset.ready = '';
}

/** Waits until the email is shown, and returns its document. */
export async function shownEmail(canvas: HTMLElement): Promise<Document> {
  const email = await waitFor(() => {
    const document = canvas.querySelector<HTMLIFrameElement>('iframe[data-ready]')?.contentDocument;
    if (!document) throw new Error('the email is not shown yet');
    return document;
  });
  await expect(email.documentElement.scrollWidth).toBeLessThanOrEqual(email.documentElement.clientWidth);
  return email;
}
