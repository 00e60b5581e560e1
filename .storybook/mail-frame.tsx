import axe from 'axe-core';
import { expect, waitFor } from 'storybook/test';

export interface MailFrameProps {
  /** The HTML of the email. */
  readonly html: string;
  /** Width of the window in pixels. Defaults to the available width. */
  readonly width?: number;
}

/**
 * Shows an email in its own document, like a mail client. A dark story imitates Outlook.com's dark mode, because a page cannot change the
 * media queries of a frame.
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

/** Shows the emails of the page in another color scheme. */
export function setEmailScheme(scheme: 'light' | 'dark'): void {
  for (const frame of document.querySelectorAll<HTMLIFrameElement>('iframe[data-ready]'))
    frame.contentDocument?.documentElement.toggleAttribute('data-ogsc', scheme === 'dark');
}

/** Landmarks are up to the mail client, not the email. */
const FOR_EMAILS = { rules: ['landmark-one-main', 'region'].map((id) => ({ id, enabled: false })) };

/** Makes the frame as high as the email, and lets the story's accessibility check look inside. */
function prepare(frame: HTMLIFrameElement): void {
  const email = frame.contentDocument;
  if (!email) return;
  frame.style.blockSize = `${email.documentElement.scrollHeight}px`;
  const script = email.createElement('script');
  script.textContent = `${axe.source};axe.configure(${JSON.stringify(FOR_EMAILS)})`;
  email.head.append(script);
  frame.dataset.ready = '';
}

/** Waits until the email is shown and returns its document. */
export async function shownEmail(canvas: HTMLElement): Promise<Document> {
  const email = await waitFor(() => {
    const document = canvas.querySelector<HTMLIFrameElement>('iframe[data-ready]')?.contentDocument;
    if (!document) throw new Error('the email is not shown yet');
    return document;
  });
  await expect(email.documentElement.scrollWidth).toBeLessThanOrEqual(email.documentElement.clientWidth);
  return email;
}
