type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

/** The form of the language's plural rules for the count, with the count in the place of `#`. */
export function countText(language: string, count: number, forms: Forms): string {
  const form = forms[new Intl.PluralRules(language).select(count)] ?? forms.other;
  return form.replace('#', new Intl.NumberFormat(language).format(count));
}
