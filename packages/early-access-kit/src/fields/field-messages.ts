import type { FieldMessages } from '../core/messages.ts';

/** The English texts of custom fields, loaded only by forms that have them. */
export const englishFieldMessages: Omit<FieldMessages, 'phoneInvalid'> = {
  fieldRequired: 'Please fill in this field',
  choiceRequired: 'Please choose an option',
  checkboxRequired: 'Please check this box to continue',
  fieldTooLong: 'Please use at most {max} characters',
  urlInvalid: 'Please enter a web address, such as https://example.com',
  fieldInvalid: 'Please check this field',
  fieldOptional: '(optional)',
};

export const englishMoreFieldMessages: Pick<FieldMessages, 'phoneInvalid'> = {
  phoneInvalid: 'Please enter the number with its country code, such as +1 555 010 0123',
};
