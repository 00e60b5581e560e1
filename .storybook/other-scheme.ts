import axe from 'axe-core';
import { applyGlobals, type Globals } from './globals.ts';

/**
 * Fails if a color is wrong in the scheme that the story is not shown in. Switching what the story ended with takes a
 * fraction of the time of showing it again, and axe's other rules do not depend on colors.
 */
export async function checkOtherScheme(globals: Globals): Promise<void> {
  const theme = String(globals.theme);
  const other = theme.endsWith('dark') ? theme.replace('dark', 'light') : theme.replace('light', 'dark');
  applyGlobals({ ...globals, theme: other });
  try {
    const { violations } = await axe.run(document.body, { runOnly: ['color-contrast', 'link-in-text-block'] });
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
    if (found.length > 0) throw new Error(`with the theme "${other}":\n${found.join('\n')}`);
  } finally {
    applyGlobals(globals);
  }
}
