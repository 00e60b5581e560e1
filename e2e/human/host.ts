import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { type HumanVerifier, startHumanVerifier, VERIFIER_SECRET } from '@early-access-kit/testkit/human-verifier';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { startOtherSite } from '../embed/support/other-site.ts';
import { type Backend, startSelfHosted } from '../support/backend.ts';

export const CHECKS = ['turnstile', 'hcaptcha', 'proof-of-work'] as const;
export type Check = (typeof CHECKS)[number];

/** The additions to a host's Content-Security-Policy in docs/human-checks.md, besides the server's origin. */
const SOURCES: Readonly<Record<Check, string>> = {
  turnstile: 'script-src {own} https://challenges.cloudflare.com; frame-src https://challenges.cloudflare.com',
  hcaptcha: ['script-src {own}', 'frame-src', "style-src 'self'", 'connect-src {own}']
    .map((directive) => `${directive} https://hcaptcha.com https://*.hcaptcha.com`)
    .join('; '),
  'proof-of-work': '',
};

export interface PageOptions {
  /** The human check of the page. Empty: none. `given`: it sends `token`. */
  readonly check?: string;
  readonly token?: string;
  /** Replaces the forms in React. */
  readonly body?: string;
  /** Additional directives of the page's Content-Security-Policy. */
  readonly directives?: string;
}

/** A server that requires a check, and a host's page on another origin. */
export interface CheckedHost {
  readonly backend: Backend;
  readonly verifier: HumanVerifier;
  /** Returns the URL of a page with two forms. */
  servePage(page: Page, options?: PageOptions): Promise<string>;
  close(): Promise<void>;
}

export async function startCheckedHost(check: Check): Promise<CheckedHost> {
  const [verifier, site] = await Promise.all([startHumanVerifier(), startOtherSite()]);
  const backend = await startSelfHosted({
    ALLOWED_ORIGINS: site.origin,
    HUMAN_CHECK: check,
    ...(check === 'proof-of-work'
      ? { HUMAN_CHECK_SECRET: 'k'.repeat(32) }
      : {
          HUMAN_CHECK_SECRET: VERIFIER_SECRET,
          HUMAN_CHECK_URL: check === 'turnstile' ? verifier.turnstileUrl : verifier.hcaptchaUrl,
        }),
  });
  const { origin } = backend.server;
  const own = `'self' ${origin}`;
  return {
    backend,
    verifier,
    async servePage(page, options = {}) {
      const { check: used = check, token = '', body = reactPage(used, token, origin), directives = '' } = options;
      await page.route(`${site.origin}/page.js`, async (route) =>
        route.fulfill({ contentType: 'text/javascript', body: await pageScript() }),
      );
      await page.route(`${site.origin}/styles.css`, (route) =>
        route.fulfill({ contentType: 'text/css', body: readFileSync(STYLES, 'utf8') }),
      );
      return site.put(
        renderDocument(body),
        `default-src ${own}; ${SOURCES[check].replaceAll('{own}', own)}; ${directives}`,
      );
    },
    async close() {
      await backend.close();
      await Promise.all([site.close(), verifier.close()]);
    },
  };
}

const STYLES = createRequire(import.meta.url).resolve('early-access-kit/styles.css');

const renderDocument = (
  body: string,
) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title>
  <meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/styles.css"></head>
  <body><main><h1>A studio</h1>${body}<p>Below the form</p></main></body></html>`;

const reactPage = (check: string, token: string, origin: string) =>
  `<div id="page" data-check="${check}" data-token="${token}" data-api="${origin}/api"></div><script type="module" src="/page.js"></script>`;

let script: Promise<string> | undefined;

function pageScript(): Promise<string> {
  script ??= build({
    entryPoints: [path.join(import.meta.dirname, 'page.tsx')],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return script;
}
