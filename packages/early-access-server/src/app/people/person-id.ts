import { randomUUID } from 'node:crypto';

/**
 * Creates the public id of a new person: a version 7 UUID (RFC 9562). It reveals when they signed up, but neither their
 * address nor anything their browser sent. Ids created at about the same time are neighbors in the index, so that a
 * commit writes one index page instead of one per person.
 */
export function newPersonId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Returns whether the text has the format of a public id. Anything else is not looked up. */
export function isPersonId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}
