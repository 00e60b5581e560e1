import { startSelfHosted } from '../../support/backend.ts';
import { type Gatekeeper, startGatekeeper } from '../../support/gatekeeper.ts';
import { test as base } from '../../support/test.ts';
import { type OtherSite, startOtherSite } from './other-site.ts';

export { ADMIN_EMAIL, expect, toast } from '../../support/test.ts';

interface TestFixtures {
  /**
   * Puts up a page of another site that may load from itself and from the server alone, and answers with its URL.
   * `directives` are added to its Content-Security-Policy.
   */
  put(body: string, head?: string, directives?: string): string;
  /** The page's one script tag. */
  script: string;
}

interface WorkerFixtures {
  site: OtherSite;
  /** Stands before the server and sees what it is asked for, preflights too. */
  gate: Gatekeeper;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures out of the pattern
    async ({}, use) => {
      const site = await startOtherSite();
      await use(site);
      await site.close();
    },
    { scope: 'worker' },
  ],

  backend: [
    async ({ site }, use) => {
      const backend = await startSelfHosted({ ALLOWED_ORIGINS: site.origin });
      await use(backend);
      await backend.close();
    },
    { scope: 'worker' },
  ],

  gate: [
    async ({ backend }, use) => {
      const gate = await startGatekeeper(backend.server.origin);
      await use(gate);
      await gate.close();
    },
    { scope: 'worker' },
  ],

  // A header of our own would have every call to another origin ask for leave first.
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
