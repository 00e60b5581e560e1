import axe from 'axe-core';
import { applyGlobals, type Globals } from './globals.ts';

/**
 * Fails if a color is wrong in the color scheme that the story does not use. Switching the scheme at the end of the
 * story is much faster than rendering it again, and axe's other rules do not depend on colors.
 */
export async function checkOtherScheme(globals: Globals): Promise<void> {
  const theme = String(globals.theme);
  const other = theme.endsWith('dark') ? theme.replace('dark', 'light') : theme.replace('light', 'dark');
  applyGlobals({ ...globals, theme: other });
  try {
    const { violations } = await axe.run(document.body, {
      runOnly: ['color-contrast', 'link-in-text-block'],
      // Without the list of everything that is right, which takes time to name.
      resultTypes: ['violations'],
    });
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
    if (found.length > 0) throw new Error(`with the theme "${other}":\n${found.join('\n')}`);
  } finally {
    applyGlobals(globals);
  }
}
