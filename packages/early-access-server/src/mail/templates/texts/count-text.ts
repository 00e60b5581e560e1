type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The plural form for the count in this language, with `#` replaced by the count. */
export function countText(language: string, count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace('#', new Intl.NumberFormat(language).format(count));
}
