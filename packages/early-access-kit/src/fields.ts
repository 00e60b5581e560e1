'use client';

export type {
  CheckboxField,
  ChoicesField,
  DateField,
  FieldDeclaration,
  FieldDeclarations,
  FieldOption,
  FieldProblem,
  FieldType,
  NumberField,
  PhoneField,
  SelectField,
  SignupFields,
  TextField,
} from './core/fields.ts';
export type { FieldMessages } from './core/messages.ts';
export { checkDeclarations } from './core/more-declarations.ts';
export { checkValue } from './core/more-fields.ts';
export type { FieldClassNames } from './fields/field-inputs.tsx';
export { type SignupFieldsOptions, signupFields } from './fields/signup-fields.tsx';
export type { FieldInputsProps, FormFields } from './signup/form-parts.ts';
