import { checkBasicDeclarations } from '../core/field-declarations.ts';
import { checkBasicValue, type FieldDeclarations } from '../core/fields.ts';
import type { FormFields } from '../signup/form-parts.ts';
import {
  explain,
  type FieldClassNames,
  FieldInputs,
  type FieldKinds,
  readInput,
  renderInput,
  renderLabel,
} from './field-inputs.tsx';

/** Options of `signupFields`. */
export interface SignupFieldsOptions {
  /** Your own classes for the parts of each field. */
  readonly classNames?: FieldClassNames | undefined;
}

const basicKinds: FieldKinds = {
  renderLabel,
  renderInput,
  check: (inputs, field) => checkBasicValue(field, readInput(inputs, field)),
  explain,
};

/**
 * Prepares your own fields for `SignupForm`: `text`, `url`, `select` and `checkbox`. For the other types, and for
 * `help` and `links`, import it from `early-access-kit/more-fields`. Call it once, outside the component. The server
 * needs the same declaration. Throws a `TypeError` that names the field if the declaration is invalid.
 *
 * @example
 * const fields = signupFields({ company: { type: 'text', label: 'Company' } });
 * <SignupForm fields={fields} />
 */
export function signupFields(
  declarations: FieldDeclarations,
  { classNames = {} }: SignupFieldsOptions = {},
): FormFields {
  return formFields(checkBasicDeclarations(declarations), classNames, basicKinds);
}

export function formFields(
  declarations: FieldDeclarations,
  classNames: FieldClassNames,
  kinds: FieldKinds,
): FormFields {
  const props = { declarations, classNames, kinds };
  return { render: (inputs) => <FieldInputs {...props} {...inputs} /> };
}
