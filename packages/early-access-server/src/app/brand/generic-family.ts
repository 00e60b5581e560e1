/** Returns whether the name is a generic family in CSS, a keyword that refers to no font file. */
export const isGenericFamily = (name: string): boolean =>
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+)$/i.test(name);
