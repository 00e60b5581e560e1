import type { FieldDeclarations } from '../core/fields.ts';
import { checkDeclarations } from '../core/more-declarations.ts';
import type { FormFields } from '../signup/form-parts.ts';
import { allKinds } from './more-inputs.tsx';
import { formFields, type SignupFieldsOptions } from './signup-fields.tsx';

/**
 * `signupFields` of `early-access-kit/fields` for every type of field, with `help` and `links`. Import it only if you
 * need them, because it is larger.
 *
 * @example
 * const fields = signupFields({ phone: { type: 'tel', label: 'Telephone' } });
 * <SignupForm fields={fields} />
 */
export function signupFields(
  declarations: FieldDeclarations,
  { classNames = {} }: SignupFieldsOptions = {},
): FormFields {
  return formFields(checkDeclarations(declarations), classNames, allKinds);
}
