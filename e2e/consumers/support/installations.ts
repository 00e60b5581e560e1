import type { Installation } from './install.ts';

/** Every tested framework with its example, and a variant with the oldest supported React. */
export const INSTALLATIONS = {
  vite: { example: 'vite-react' },
  viteWithReact18: {
    example: 'vite-react',
    variant: {
      name: 'vite-react-18',
      versions: {
        react: '18.2.0',
        'react-dom': '18.2.0',
        '@types/react': '18.2.79',
        '@types/react-dom': '18.2.25',
      },
    },
  },
  nodeSsr: { example: 'node-ssr' },
  nextjs: { example: 'nextjs' },
  reactRouter: { example: 'react-router' },
  astro: { example: 'astro' },
  hono: { example: 'hono' },
  express: { example: 'express' },
  fastify: { example: 'fastify' },
  sveltekit: { example: 'sveltekit' },
  staticHtml: { example: 'static-html' },
  betterAuth: { example: 'better-auth' },
  authjs: { example: 'authjs' },
  clerk: { example: 'clerk' },
} as const satisfies Record<string, Installation>;
