/** Replaces `{count}` in the text. `findForm` returns the text of a plural category, if there is one. */
export function formatCount(
  count: number,
  locale: string | undefined,
  findForm: (rule: Intl.LDMLPluralRule) => string | null | undefined,
): string {
  const form = findForm(new Intl.PluralRules(locale).select(count)) ?? findForm('other') ?? '{count}';
  return form.replace('{count}', new Intl.NumberFormat(locale).format(count));
}
