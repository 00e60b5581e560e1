/** Texts about the host's own fields. `{label}` and `{max}` are replaced. */
export interface FieldMessages {
  readonly required: string;
  readonly requiredChoice: string;
  readonly requiredCheckbox: string;
  readonly tooLong: string;
  readonly invalidUrl: string;
  readonly invalid: string;
  /** Beside the label of a field that may stay empty. */
  readonly optional: string;
}

export const englishFieldMessages: FieldMessages = {
  required: 'Please fill in this field',
  requiredChoice: 'Please choose an option',
  requiredCheckbox: 'Please tick this box to continue',
  tooLong: 'Please use at most {max} characters',
  invalidUrl: 'Please enter a web address, such as https://example.com',
  invalid: 'Please check this field',
  optional: '(optional)',
};
