import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

// `npm run dev` starts early-access-server beside Vite. Both read its port from the environment or from .env.
export default defineConfig(({ mode }) => {
  const { PORT = '4173' } = loadEnv(mode, process.cwd(), 'PORT');
  // An object, because with a string Vite changes the Host header, and the server would treat the page as cross-origin.
  const server = { target: `http://localhost:${PORT}` };
  return { plugins: [react()], server: { proxy: { '/api': server, '/admin': server } } };
});
