/**
 * Replaces `../class-names.ts` in the elements' script, because a host's styles do not reach into shadow roots, so
 * elements need none of its classes.
 */
export const joinClassNames = (own: string): string => own;
