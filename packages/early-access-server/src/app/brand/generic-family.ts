/** Whether CSS has a keyword of this name, which names no font file. */
export const isGenericFamily = (name: string): boolean =>
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[a-z-]+)$/i.test(name);
