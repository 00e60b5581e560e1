import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// SvelteKit's origin check would block mail providers' one-click unsubscribe requests, which have no origin. `hooks.server.ts` makes it instead.
const csrf = { trustedOrigins: ['*'] };

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), csrf })] });
