import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // It reads its own files, such as the dashboard, so it must not be bundled.
  serverExternalPackages: ['early-access-server'],
};

export default config;
