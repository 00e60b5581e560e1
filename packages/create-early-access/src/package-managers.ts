/** How each package manager is called. */
export const PACKAGE_MANAGERS = {
  npm: { install: 'npm install', run: 'npm run' },
  pnpm: { install: 'pnpm install', run: 'pnpm' },
  yarn: { install: 'yarn install', run: 'yarn' },
  bun: { install: 'bun install', run: 'bun run' },
} as const;

export type PackageManager = keyof typeof PACKAGE_MANAGERS;

/** The one that started this program, which says so in `npm_config_user_agent`; npm if none did. */
export function currentPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split('/')[0];
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : 'npm';
}
