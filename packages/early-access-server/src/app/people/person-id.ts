import { randomUUID } from 'node:crypto';

/**
 * The public id of a new person: a UUID of version 7 (RFC 9562). It reveals when they signed up, but neither their
 * address nor what their browser has sent. People who sign up together are neighbors in the index, so that one commit
 * writes a page of it instead of one for each of them.
 */
export function newPersonId(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Whether the text has the form of a public id, so that nothing else is looked up. */
export function isPersonId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}
