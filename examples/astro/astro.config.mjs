import node from '@astrojs/node';
import react from '@astrojs/react';
import { defineConfig } from 'astro/config';

export default defineConfig({
  integrations: [react()],
  adapter: node({ mode: 'standalone' }),
  // The default adds inline styles, which the policy below refuses.
  markdown: { syntaxHighlight: false },
  server: { port: Number(process.env.PORT ?? 4321) },
  security: {
    // Astro starts its islands by inline scripts, and gives each page a policy that holds their hashes.
    csp: true,
    // Astro's check would refuse the one-click unsubscribing of mail providers, which send no origin. `middleware.ts` makes it instead.
    checkOrigin: false,
  },
});
