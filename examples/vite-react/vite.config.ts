import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// While developing, /api is the self-hosted server, started beside this with `npm start` in its own folder.
const api = { '/api': 'http://localhost:4173' };

export default defineConfig({ plugins: [react()], server: { proxy: api }, preview: { proxy: api } });
