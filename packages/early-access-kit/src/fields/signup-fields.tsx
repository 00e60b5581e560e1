import { checkDeclarations } from '../core/field-declarations.ts';
import type { FieldDeclarations } from '../core/fields.ts';
import type { FormFields } from '../signup/form-parts.ts';
import { type FieldClassNames, FieldInputs } from './field-inputs.tsx';

/** The texts of the fields, if they are not those of the provider. */
export interface SignupFieldsOptions {
  /** Your own classes for the parts of each field. */
  readonly classNames?: FieldClassNames | undefined;
}

/**
 * Prepares your own fields for `SignupForm`. Create it once, outside the component. The server needs the same
 * declaration. Throws a `TypeError` that names the field if the declaration contradicts itself.
 *
 * @example
 * const fields = signupFields({ company: { type: 'text', label: 'Company' } });
 * <SignupForm fields={fields} />
 */
export function signupFields(
  declarations: FieldDeclarations,
  { classNames = {} }: SignupFieldsOptions = {},
): FormFields {
  const props = { declarations: checkDeclarations(declarations), classNames };
  return { render: (inputs) => <FieldInputs {...props} {...inputs} /> };
}
