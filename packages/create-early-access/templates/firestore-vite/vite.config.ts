import react from '@vitejs/plugin-react';
import { defineConfig, type ProxyOptions } from 'vite';

// The emulators serve the functions. An object, because Vite changes the Host header for a string, and the functions would
// take the page for one of another origin.
const emulators: ProxyOptions = {
  target: 'http://localhost:5000',
  // What the form and the dashboard say while the emulators are not running.
  configure: (proxy) =>
    proxy.on('error', (_error, _request, response) => {
      const text = 'The emulators are not running on port 5000. Start them with: npm run emulators';
      if ('writeHead' in response) response.writeHead(503).end(JSON.stringify({ error: { text } }));
    }),
};

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': emulators, '/admin': emulators } },
});
