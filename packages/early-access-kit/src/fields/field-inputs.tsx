import { useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import {
  checkValue,
  DEFAULT_FIELD_LENGTH,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldProblem,
  type SignupFields,
} from '../core/fields.ts';
import type { FieldMessages } from '../core/messages.ts';
import { useEarlyAccess } from '../provider.tsx';
import type { FieldInputsProps } from '../signup/form-parts.ts';
import { englishFieldMessages } from './field-messages.ts';

/** The host's classes for the parts of each field, added to the kit's own. */
export interface FieldClassNames {
  field?: string | undefined;
  label?: string | undefined;
  /** The text input, the select or the checkbox. */
  input?: string | undefined;
  error?: string | undefined;
}

interface Props extends FieldInputsProps {
  readonly declarations: FieldDeclarations;
  readonly classNames: FieldClassNames;
}

type Problems = Readonly<Record<string, FieldProblem | undefined>>;

/** The inputs of all declared fields. They are uncontrolled, so that hydration does not remove typed text. */
export function FieldInputs({ declarations, classNames, readRef, id, readOnly, disabled }: Props) {
  const { messages: given } = useEarlyAccess();
  const messages = { ...englishFieldMessages, ...given };
  const [problems, setProblems] = useState<Problems>({});
  const container = useRef<HTMLDivElement>(null);
  const fields = Object.entries(declarations);

  useLayoutEffect(() => {
    readRef.current = () => {
      const { values, problems } = readInputs(declarations, container.current);
      setProblems(problems);
      return values;
    };
    return () => {
      readRef.current = undefined;
    };
  }, [declarations, readRef]);

  return (
    <div ref={container} className="eak-fields">
      {/* Tells the server that the form has the fields: an unchecked box is not part of what a form without scripts sends. */}
      <input type="hidden" name="fields" value="1" />
      {fields.map(([name, field]) => {
        const problem = problems[name];
        const inputId = `${id}-${name}`;
        const errorId = `${inputId}-error`;
        const label = (
          <label className={joinClassNames('eak-field__label', classNames.label)} htmlFor={inputId}>
            {field.label}
            {!field.required && <span className="eak-field__optional"> {messages.fieldOptional}</span>}
          </label>
        );
        const input = (
          <FieldInput
            field={field}
            readOnly={readOnly}
            attributes={{
              id: inputId,
              name,
              required: field.required,
              disabled,
              className: joinClassNames(
                field.type === 'checkbox' ? 'eak-field__checkbox' : 'eak-form__input',
                classNames.input,
              ),
              'aria-invalid': problem !== undefined,
              'aria-describedby': errorId,
              onInput: () => problem && setProblems({ ...problems, [name]: undefined }),
            }}
          />
        );
        return (
          <div key={name} className={joinClassNames(`eak-field eak-field--${field.type}`, classNames.field)}>
            {field.type === 'checkbox' ? input : label}
            {field.type === 'checkbox' ? label : input}
            <p id={errorId} className={joinClassNames('eak-form__error', classNames.error)} aria-live="polite">
              {problem && explain(problem, field, messages)}
            </p>
          </div>
        );
      })}
    </div>
  );
}

interface Attributes {
  readonly id: string;
  readonly name: string;
  readonly required: boolean | undefined;
  readonly disabled: boolean | undefined;
  readonly className: string;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string;
  readonly onInput: () => void;
}

function FieldInput({
  field,
  readOnly,
  attributes,
}: {
  field: FieldDeclaration;
  readOnly: boolean;
  attributes: Attributes;
}) {
  if (field.type === 'checkbox') {
    return <input {...attributes} type="checkbox" value={field.consent ? field.label : 'true'} />;
  }
  if (field.type === 'select') {
    return (
      <select {...attributes} defaultValue="">
        <option value="">{field.placeholder ?? '–'}</option>
        {field.options.map((option) => {
          const { value, label } = typeof option === 'string' ? { value: option, label: option } : option;
          return (
            <option key={value} value={value}>
              {label}
            </option>
          );
        })}
      </select>
    );
  }
  return (
    <input
      {...attributes}
      // Not "url", which refuses an address without https:// before the server can add it.
      type="text"
      // The typed text sets the direction, not the page.
      dir={field.type === 'url' ? 'ltr' : 'auto'}
      inputMode={field.type === 'url' ? 'url' : undefined}
      maxLength={field.maxLength ?? DEFAULT_FIELD_LENGTH}
      placeholder={field.placeholder}
      autoComplete={field.autoComplete ?? (field.type === 'url' ? 'url' : undefined)}
      readOnly={readOnly}
    />
  );
}

/** `values` is null if there are problems. */
function readInputs(
  declarations: FieldDeclarations,
  container: HTMLElement | null,
): { values: SignupFields | null; problems: Problems } {
  const values: Record<string, string | true> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const input of container?.querySelectorAll('input, select') ?? []) {
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement)) continue;
    const field = declarations[input.name];
    if (field === undefined) continue;
    const checked = checkValue(field, readInput(input, field));
    if ('problem' in checked) problems[input.name] = checked.problem;
    else if (checked.value !== undefined) values[input.name] = checked.value;
  }
  return { values: Object.keys(problems).length > 0 ? null : values, problems };
}

function readInput(input: HTMLInputElement | HTMLSelectElement, field: FieldDeclaration): unknown {
  if (field.type !== 'checkbox' || !(input instanceof HTMLInputElement)) return input.value;
  if (!input.checked) return undefined;
  return field.consent ? field.label : true;
}

function explain(problem: FieldProblem, field: FieldDeclaration, messages: FieldMessages): string {
  if (problem === 'required') {
    if (field.type === 'checkbox') return messages.checkboxRequired;
    return field.type === 'select' ? messages.choiceRequired : messages.fieldRequired;
  }
  if (problem === 'too-long') {
    const max = ('maxLength' in field && field.maxLength) || DEFAULT_FIELD_LENGTH;
    return messages.fieldTooLong.replace('{max}', String(max));
  }
  return field.type === 'url' ? messages.urlInvalid : messages.fieldInvalid;
}
