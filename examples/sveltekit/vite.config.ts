import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// SvelteKit's check of origins would refuse the one-click unsubscribing of mail providers, which send none. `hooks.server.ts` makes it instead.
const csrf = { trustedOrigins: ['*'] };

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), csrf })] });
