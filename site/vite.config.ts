import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { createConstants, readStorage } from './build/storage.ts';

export default defineConfig({
  plugins: [react()],
  define: createConstants(readStorage(process.env)),
  // The package and the page must share one React, even if the package is linked from its source.
  resolve: { dedupe: ['react', 'react-dom'] },
  // All supported browsers with module scripts implement modulepreload.
  build: {
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Fonts keep their names, because the server's own pages use them, too.
    rolldownOptions: {
      output: {
        assetFileNames: ({ names: [name = ''] }) => `assets/[name]${name.endsWith('.woff2') ? '' : '-[hash]'}[extname]`,
      },
    },
  },
});
