import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/admin/',
  plugins: [react()],
  // The content security policy only allows files from the page's origin.
  build: {
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // The first view loads one script and one stylesheet, because they compress better together. Other pages load their
    // own.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  server: { proxy: { '/api': process.env.EARLY_ACCESS_URL ?? 'http://localhost:4173' } },
});
