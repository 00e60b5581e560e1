/** A custom property that hosts may set. */
export interface CustomProperty {
  readonly name: string;
  /** What stands above it in the stylesheet. */
  readonly meaning: string;
  /** What holds unless it is set, in terms of the public names. */
  readonly fallback: string;
  /** The private copy, which holds the one or the other inside a widget. */
  readonly copy: string;
}

const PROPERTY =
  /\/\*\s*(?<meaning>[^*]*?)\s*\*\/\s*(?<copy>--_eak-[\w-]+):\s*var\(\s*(?<name>--eak-[\w-]+),\s*(?<fallback>[^;]+)\);/g;

/**
 * The public custom properties of a stylesheet, in its order. Pure. One counts where a private copy takes it with its default, under a
 * comment: `/* The button. *\/ --_eak-accent: var(--eak-accent, blue);`. The rest of the stylesheet is passed over.
 */
export function customPropertiesOf(css: string): CustomProperty[] {
  return [...css.matchAll(PROPERTY)].map(({ groups: { meaning = '', copy = '', name = '', fallback = '' } = {} }) => ({
    name,
    meaning: meaning.replace(/\s+/g, ' '),
    fallback: fallback.replace(/\s+/g, ' ').replaceAll('--_eak-', '--eak-').trim(),
    copy,
  }));
}
