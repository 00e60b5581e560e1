import vue from '@vitejs/plugin-vue';
import { defineConfig, loadEnv } from 'vite';

const compilerOptions = { isCustomElement: (tag: string) => tag.startsWith('early-access-') };

// `npm run dev` starts early-access-server beside Vite. Both read its port from the environment or from .env.
export default defineConfig(({ mode }) => {
  const { PORT = '4173' } = loadEnv(mode, process.cwd(), 'PORT');
  // An object, because with a string Vite changes the Host header, and the server would treat the page as cross-origin.
  const server = { target: `http://localhost:${PORT}` };
  return {
    plugins: [vue({ template: { compilerOptions } })],
    server: { proxy: { '/api': server, '/admin': server } },
  };
});
