/** A custom property that hosts can set. */
export interface CustomProperty {
  readonly name: string;
  /** The comment above the property in the stylesheet. */
  readonly meaning: string;
  /** The default value, expressed with the public property names. */
  readonly fallback: string;
  /** The private property that widgets use: the host's value, or the default. */
  readonly copy: string;
  /** Whether the default is a color. */
  readonly isColor: boolean;
}

const COLOR = /^(#|rgb|color-mix|Canvas|var\(--eak-(?!(box-)?radius))/;

const PROPERTY =
  /\/\*\s*(?<meaning>[^*]*?)\s*\*\/\s*(?<copy>--_eak-[\w-]+):\s*var\(\s*(?<name>--eak-[\w-]+),\s*(?<fallback>[^;]+)\);/g;

/**
 * Returns the public custom properties of a stylesheet in source order. A property is included if a commented private
 * copy declares its default: `/* The button. *\/ --_eak-accent: var(--eak-accent, blue);`. Everything else is ignored.
 */
export function parseCustomProperties(css: string): CustomProperty[] {
  return [...css.matchAll(PROPERTY)].map(
    ({ groups: { meaning = '', copy = '', name = '', fallback: value = '' } = {} }) => {
      const fallback = value.replace(/\s+/g, ' ').replaceAll('--_eak-', '--eak-').trim();
      return { name, meaning: meaning.replace(/\s+/g, ' '), fallback, copy, isColor: COLOR.test(fallback) };
    },
  );
}
