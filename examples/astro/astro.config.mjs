import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';

export default defineConfig({
  integrations: [react()],
  adapter: node({ mode: 'standalone' }),
  // The default adds inline styles, which the policy below blocks.
  markdown: { syntaxHighlight: false },
  server: { port: Number(process.env.PORT ?? 4321) },
  security: {
    // Astro starts its islands with inline scripts, and gives each page a policy with their hashes.
    csp: true,
    // Astro's check would block mail providers' one-click unsubscribe requests, which have no origin. `middleware.ts` makes it instead.
    checkOrigin: false,
  },
});
