import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { leaveStaticMarkup, PREACT_FOR_REACT } from './build/browser-code.ts';
import { createConstants, readStorage } from './build/storage.ts';

/**
 * Only prerendered pages have static markup. The development server and the mode `client-only` render in the browser.
 */
export default defineConfig(({ command, isSsrBuild, mode }) => {
  const hydrates = command === 'build' && !isSsrBuild && mode !== 'client-only';
  return {
    plugins: [react(), hydrates && leaveStaticMarkup],
    define: createConstants(readStorage(process.env)),
    // The package and the page must share one React, even if the package is linked from source.
    resolve: { dedupe: ['react', 'react-dom', 'preact'], alias: hydrates ? { ...PREACT_FOR_REACT } : {} },
    // All supported browsers implement modulepreload.
    build: {
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      // Fonts keep their names, because the server's own pages use them, too.
      rolldownOptions: {
        output: {
          assetFileNames: ({ names: [name = ''] }) =>
            `assets/[name]${name.endsWith('.woff2') ? '' : '-[hash]'}[extname]`,
        },
      },
    },
  };
});
