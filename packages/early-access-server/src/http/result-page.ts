import { createHash } from 'node:crypto';
import { englishSignupMessages as messages, type SignupResult } from 'early-access-kit/core';

export type FormOutcome = SignupResult | 'invalid' | 'failed' | 'no-origin' | 'foreign-origin';

interface Outcome {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** What each outcome tells the visitor, in the words of the widgets. */
export const OUTCOMES: Readonly<Record<FormOutcome, Outcome>> = {
  created: { status: 201, title: messages.successTitle, text: messages.successText },
  duplicate: {
    status: 409,
    title: messages.duplicateEmail,
    text: "There is nothing left to do. We'll email you when the beta is ready.",
  },
  invalid: {
    status: 400,
    title: messages.invalidEmail,
    text: 'Go back and check the spelling, for example you@example.com.',
  },
  failed: { status: 400, title: messages.signupFailed, text: 'Go back and send the form once more in a minute.' },
  'no-origin': {
    status: 403,
    title: 'This form cannot sign you up here',
    text: 'The page around it does not say which site it belongs to. Open the page in a tab of its own and send the form there. If this is your page: a sandboxed iframe needs “allow-same-origin”, and the page a referrer policy that sends its origin.',
  },
  'foreign-origin': {
    status: 403,
    title: 'This form cannot sign you up here',
    text: 'This server does not take signups from the page that you came from. If this is your page, its origin has to be allowed in the settings of the server.',
  },
};

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f2ea, #17140f);
  color: light-dark(#211d16, #f2ece0); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(100% - 2rem, 32rem); padding: 2.5rem 2rem; border-radius: 4px;
  background: light-dark(#fff, #221e17); border: 1px solid light-dark(#ddd3c1, #3d362a); }
h1 { margin: 0 0 .5rem; font: 600 1.75rem/1.2 ui-serif, Georgia, serif; text-wrap: balance; }
p { margin: 0 0 1.5rem; }
a { color: inherit; font-weight: 600; text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid currentColor; outline-offset: 4px; }
`;

const styleHash = createHash('sha256').update(STYLE).digest('base64');

export const resultPageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
};

/** A page without scripts. `backLink` goes into it escaped. */
export function resultPage(outcome: FormOutcome, backLink: string): string {
  const { title, text } = OUTCOMES[outcome];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<a href="${escapeHtml(backLink)}">Back to the page</a>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
