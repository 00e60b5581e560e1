import packageJson from '../../package.json' with { type: 'json' };

/** The oldest Node that the package runs on, such as `22.16`: the first one whose SQLite has the index that searches the list. */
export const OLDEST_NODE = packageJson.engines.node.replace('>=', '');

/** One line that names the version needed if `version`, such as `20.19.0`, is too old; otherwise null. */
export function oldNodeMessage(version: string): string | null {
  const [major = 0, minor = 0] = numbers(version);
  const [oldestMajor = 0, oldestMinor = 0] = numbers(OLDEST_NODE);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `early-access-kit: this needs Node ${OLDEST_NODE} or newer, and runs on ${version}; https://nodejs.org has the current one\n`;
}

function numbers(version: string): number[] {
  return version.split('.').map(Number);
}
