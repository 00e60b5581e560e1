import type { ShownField } from 'early-access-server/admin-api';

/** Returns the subject with field names in brackets instead of placeholders. Fallback texts are left out. */
export function subjectText(subject: string, fields: readonly ShownField[]): string {
  const readable = subject
    .replaceAll(/\{\{\s*\^([^{}]*)\}\}.*?\{\{\s*\/\1\}\}/g, '')
    .replaceAll(/\{\{\s*[#/][^{}]*\}\}/g, '')
    .replaceAll(/\{\{\s*fields\.([^{}.\s]+)(?:\.value)?\s*\}\}/gi, (_, name: string) => {
      const field = fields.find((each) => each.name === name.toLowerCase());
      return `[${field?.label ?? name}]`;
    });
  return readable.replaceAll(/\s+/g, ' ').trim();
}
