import { randomUUID } from 'node:crypto';

/** The public id of a new person. It reveals neither their address nor what their browser has sent. */
export function newPersonId(): string {
  return randomUUID();
}

/** Whether the text has the form of a public id, so that nothing else is looked up. */
export function isPersonId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}
