import path from 'node:path';
import type { Plugin } from 'vite';

/** Preact has React's API at a twelfth of its size. */
export const PREACT_FOR_REACT: Readonly<Record<string, string>> = {
  'react-dom/client': 'preact/compat/client',
  'react/jsx-runtime': 'preact/jsx-runtime',
  react: 'preact/compat',
};

/** Components whose markup never changes: by file in `src`, each with its element. */
const STATIC_COMPONENTS: Readonly<Record<string, readonly [name: string, element: string]>> = {
  'print/halftone.tsx': ['Halftone', 'svg'],
  'sample-card/sample-card.tsx': ['SampleCard', 'figure'],
  'sections/before-after.tsx': ['BeforeAfter', 'section'],
  'sections/benefits.tsx': ['Benefits', 'section'],
  'sections/how-it-works.tsx': ['HowItWorks', 'section'],
  'sections/site-footer.tsx': ['SiteFooter', 'footer'],
  'sections/site-header.tsx': ['SiteHeader', 'header'],
};

/**
 * Replaces static components by their outermost element. Hydration leaves its prerendered content unchanged, so their
 * code and texts are not loaded.
 */
export const leaveStaticMarkup: Plugin = {
  name: 'leave-static-markup',
  load(id) {
    const [name, element] = STATIC_COMPONENTS[path.relative(path.join(import.meta.dirname, '../src'), id)] ?? [];
    if (name === undefined) return undefined;
    return `
      import { createElement } from 'react';
      const props = { dangerouslySetInnerHTML: { __html: '' } };
      export const ${name} = () => createElement('${element}', props);
    `;
  },
};
