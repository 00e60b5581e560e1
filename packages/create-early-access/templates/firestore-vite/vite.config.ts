import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The emulators serve the functions. An object, because Vite changes the Host header for a string, and the functions would
// then treat requests of the page as cross-origin.
const emulators = { target: 'http://localhost:5000' };

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': emulators, '/admin': emulators } },
});
