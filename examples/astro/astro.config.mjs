import react from '@astrojs/react';
import { defineConfig } from 'astro/config';

export default defineConfig({
  integrations: [react()],
  // Astro starts its islands by inline scripts, and gives each page a policy that holds their hashes.
  security: { csp: true },
});
