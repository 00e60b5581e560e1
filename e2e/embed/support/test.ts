import { startSelfHosted, whileOpen } from '../../support/backend.ts';
import { type Gatekeeper, startGatekeeper } from '../../support/gatekeeper.ts';
import { test as base } from '../../support/test.ts';
import { type OtherSite, startOtherSite } from './other-site.ts';

export { ADMIN_EMAIL, expect, toast } from '../../support/test.ts';

interface TestFixtures {
  /**
   * Adds a page to another site and returns its URL. The page may only load from itself and from the server.
   * `directives` are added to its Content-Security-Policy.
   */
  put(body: string, head?: string, directives?: string): string;
  /** The page's only script tag. */
  script: string;
}

interface WorkerFixtures {
  site: OtherSite;
  /** A proxy in front of the server that records all requests, including preflights. */
  gate: Gatekeeper;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => whileOpen(startOtherSite(), use),
    { scope: 'worker' },
  ],

  backend: [
    async ({ site, settings }, use) => whileOpen(startSelfHosted({ ALLOWED_ORIGINS: site.origin, ...settings }), use),
    { scope: 'worker' },
  ],

  gate: [async ({ backend }, use) => whileOpen(startGatekeeper(backend.server.origin), use), { scope: 'worker' }],

  // A custom header would cause a preflight for every cross-origin call.
  extraHTTPHeaders: {},

  script: async ({ gate }, use) => use(`<script src="${gate.origin}/embed.js" defer></script>`),

  put: async ({ site, gate, script }, use) => {
    await use((body, head = script, directives = '') =>
      site.put(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title>
        <meta name="viewport" content="width=device-width">${head}</head><body><main><h1>A studio</h1>${body}</main></body></html>`,
        `default-src 'self' ${gate.origin}; ${directives}`,
      ),
    );
  },
});
