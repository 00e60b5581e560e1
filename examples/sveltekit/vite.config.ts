import adapter from '@sveltejs/adapter-node';
import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig } from 'vite';

// SvelteKit would refuse mail providers' one-click unsubscribe requests, which have no Origin. `hooks.server.ts` checks instead.
const csrf = { trustedOrigins: ['*'] };

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), csrf })] });
