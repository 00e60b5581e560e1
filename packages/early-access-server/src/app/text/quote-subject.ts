/** The subject of an email in a sentence. Drafts may have none yet. */
export function quoteSubject(subject: string | undefined): string {
  return `“${subject || 'Without a subject'}”`;
}
