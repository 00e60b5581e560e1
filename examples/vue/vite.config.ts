import vue from '@vitejs/plugin-vue';
import { defineConfig, loadEnv, type ProxyOptions } from 'vite';

const compilerOptions = { isCustomElement: (tag: string) => tag.startsWith('early-access-') };

// `npm run dev` starts early-access-server beside Vite. Both read its port from the environment or from .env.
export default defineConfig(({ mode }) => {
  const { PORT = '4173' } = loadEnv(mode, process.cwd(), 'PORT');
  // An object, because Vite changes the Host header for a string, and the server would take the page for one of another origin.
  const server: ProxyOptions = {
    target: `http://localhost:${PORT}`,
    // What the form and the dashboard say while the server is not running.
    configure: (proxy) =>
      proxy.on('error', (_error, _request, response) => {
        const text = `early-access-server is not running on port ${PORT}. Start it with: npm run dev`;
        if ('writeHead' in response) response.writeHead(503).end(JSON.stringify({ error: { text } }));
      }),
  };
  return {
    plugins: [vue({ template: { compilerOptions } })],
    server: { proxy: { '/api': server, '/admin': server } },
  };
});
