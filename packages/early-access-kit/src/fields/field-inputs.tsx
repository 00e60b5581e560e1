import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import {
  type checkBasicValue,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldProblem,
  maxLengthOf,
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
  /** The help text. */
  help?: string | undefined;
  /** The text input, the select or the checkbox; every box of multiple choices. */
  input?: string | undefined;
  error?: string | undefined;
}

/** How fields of certain types are rendered and checked. */
export interface FieldKinds {
  /** Renders the label and the content below it. */
  renderLabel(view: FieldView): ReactNode;
  renderInput(view: FieldView): ReactNode;
  /** Checks the values of the inputs with the field's name. */
  check(inputs: Iterable<Input>, field: FieldDeclaration): ReturnType<typeof checkBasicValue>;
  explain(problem: FieldProblem, field: FieldDeclaration, messages: BasicMessages & Partial<FieldMessages>): string;
}

/** One field of the form. */
export interface FieldView {
  readonly field: FieldDeclaration;
  readonly classNames: FieldClassNames;
  readonly messages: BasicMessages;
  readonly readOnly: boolean;
  readonly attributes: {
    readonly id: string;
    readonly name: string;
    readonly required: boolean | undefined;
    readonly disabled: boolean | undefined;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string;
    readonly onInput: () => void;
  };
}

type BasicMessages = typeof englishFieldMessages;

/** The properties that are read of inputs, selects and text areas. */
export interface Input extends Element {
  readonly value: string;
  readonly checked?: boolean;
  readonly validity: ValidityState;
}

interface Props extends FieldInputsProps {
  readonly declarations: FieldDeclarations;
  readonly classNames: FieldClassNames;
  readonly kinds: FieldKinds;
}

type Problems = Readonly<Record<string, FieldProblem | undefined>>;

/** The inputs of all declared fields. Uncontrolled, so that hydration does not remove typed text. */
export function FieldInputs({ declarations, classNames, kinds, readRef, id, readOnly, disabled }: Props) {
  const { messages: given } = useEarlyAccess();
  const messages = { ...englishFieldMessages, ...given };
  const [problems, setProblems] = useState<Problems>({});
  const container = useRef<HTMLDivElement>(null);
  const fields = Object.entries(declarations);

  useLayoutEffect(() => {
    readRef.current = () => {
      const { values, problems } = readFields(declarations, kinds, container.current);
      setProblems(problems);
      return values;
    };
    return () => {
      readRef.current = undefined;
    };
  }, [declarations, kinds, readRef]);

  return (
    <div ref={container} className="eak-fields">
      {/* Tells the server that the form has fields, because a form without scripts does not send unchecked boxes. */}
      <input type="hidden" name="fields" value="1" />
      {fields.map(([name, field]) => {
        const problem = problems[name];
        const inputId = `${id}-${name}`;
        const errorId = `${inputId}-error`;
        const view: FieldView = {
          field,
          classNames,
          messages,
          readOnly,
          attributes: {
            id: inputId,
            name,
            required: field.required,
            disabled,
            'aria-invalid': problem !== undefined,
            'aria-describedby': errorId,
            onInput: () => problem && setProblems({ ...problems, [name]: undefined }),
          },
        };
        const label = kinds.renderLabel(view);
        const input = kinds.renderInput(view);
        return (
          <div key={name} className={joinClassNames(`eak-field eak-field--${field.type}`, classNames.field)}>
            {field.type === 'checkbox' ? input : label}
            {field.type === 'checkbox' ? label : input}
            <p id={errorId} className={joinClassNames('eak-form__error', classNames.error)} aria-live="polite">
              {problem && kinds.explain(problem, field, messages)}
            </p>
          </div>
        );
      })}
    </div>
  );
}

function readFields(
  declarations: FieldDeclarations,
  kinds: FieldKinds,
  container: HTMLElement | null,
): { values: SignupFields | 'invalid'; problems: Problems } {
  const values: Record<string, string | true> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const [name, field] of Object.entries(declarations)) {
    const inputs = container?.querySelectorAll<Input>(`[name=${name}]`) ?? [];
    const checked = kinds.check(inputs, field);
    if ('problem' in checked) problems[name] = checked.problem;
    else if (checked.value !== undefined) values[name] = checked.value;
  }
  return { values: Object.keys(problems).length > 0 ? 'invalid' : values, problems };
}

export function renderLabel(view: FieldView, text: ReactNode = view.field.label): ReactNode {
  return (
    <label className={joinClassNames('eak-field__label', view.classNames.label)} htmlFor={view.attributes.id}>
      {text}
      {markOptional(view)}
    </label>
  );
}

export function markOptional({ field, messages }: FieldView): ReactNode {
  return !field.required && <span className="eak-field__optional"> {messages.fieldOptional}</span>;
}

export function renderInput({ field, classNames, readOnly, attributes: given }: FieldView): ReactNode {
  const attributes = {
    ...given,
    className: joinClassNames(field.type === 'checkbox' ? 'eak-field__checkbox' : 'eak-form__input', classNames.input),
  };
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
  if (field.type !== 'text' && field.type !== 'url') return undefined;
  return (
    <input
      {...attributes}
      // Not "url", which rejects an address without https:// before the server can add it.
      type="text"
      // The typed text sets the direction, not the page.
      dir={field.type === 'url' ? 'ltr' : 'auto'}
      inputMode={field.type === 'url' ? 'url' : undefined}
      maxLength={maxLengthOf(field)}
      placeholder={field.placeholder}
      autoComplete={field.autoComplete ?? (field.type === 'url' ? 'url' : undefined)}
      readOnly={readOnly}
    />
  );
}

export function readInput([input]: Iterable<Input>, field: FieldDeclaration): unknown {
  if (field.type === 'checkbox') return input?.checked && (field.consent ? field.label : true);
  return input?.value;
}

export function explain(problem: FieldProblem, field: FieldDeclaration, messages: BasicMessages): string {
  if (problem === 'required') {
    if (field.type === 'checkbox') return messages.checkboxRequired;
    return 'options' in field ? messages.choiceRequired : messages.fieldRequired;
  }
  if (problem === 'too-long') return messages.fieldTooLong.replace('{max}', String(maxLengthOf(field)));
  return field.type === 'url' ? messages.urlInvalid : messages.fieldInvalid;
}
