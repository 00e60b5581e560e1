import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// The emulators serve the functions. With a string, Vite would change the Host header, and the functions would refuse the
// page as cross-origin.
const emulators = { target: 'http://localhost:5000' };

export default defineConfig({
  plugins: [react()],
  server: { proxy: { '/api': emulators, '/admin': emulators } },
});
