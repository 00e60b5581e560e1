import { useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import {
  checkValue,
  DEFAULT_FIELD_LENGTH,
  type FieldDeclaration,
  type FieldDeclarations,
  type FieldOption,
  type FieldProblem,
  fieldLength,
  isTextField,
  labelParts,
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
  /** The sentence that helps to fill in the field. */
  help?: string | undefined;
  /** The text input, the select or the checkbox; each of several. */
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
        const helpId = field.help && `${inputId}-help`;
        const hasChoices = field.type === 'choices';
        // The label of several boxes names their group.
        const Label = hasChoices ? 'span' : 'label';
        const labelProps = hasChoices ? { id: `${inputId}-label` } : { htmlFor: inputId };
        const label = (
          <Label className={joinClassNames('eak-field__label', classNames.label)} {...labelProps}>
            {labelParts(field).map(({ text, href }) =>
              href === undefined ? (
                text
              ) : (
                // In a tab of its own, so that what is typed is not lost.
                <a key={text} className="eak-signup__link" href={href} target="_blank" rel="noreferrer">
                  {text}
                </a>
              ),
            )}
            {!field.required && <span className="eak-field__optional"> {messages.fieldOptional}</span>}
          </Label>
        );
        const help = helpId && (
          <p id={helpId} className={joinClassNames('eak-field__help', classNames.help)}>
            {field.help}
          </p>
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
                field.type === 'checkbox' || hasChoices ? 'eak-field__checkbox' : 'eak-form__input',
                classNames.input,
              ),
              'aria-invalid': problem !== undefined,
              'aria-describedby': helpId ? `${helpId} ${errorId}` : errorId,
              onInput: () => problem && setProblems({ ...problems, [name]: undefined }),
            }}
          />
        );
        return (
          <div key={name} className={joinClassNames(`eak-field eak-field--${field.type}`, classNames.field)}>
            {field.type === 'checkbox' ? input : label}
            {field.type === 'checkbox' ? label : help}
            {field.type === 'checkbox' ? help : input}
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
        {field.options.map(toOption).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    );
  }
  if (field.type === 'choices') return <Choices options={field.options.map(toOption)} attributes={attributes} />;
  if (field.type === 'date') {
    return <input {...attributes} type="date" min={field.min} max={field.max} readOnly={readOnly} />;
  }
  const { placeholder } = field;
  if (field.type === 'tel') {
    return <input {...attributes} type="tel" dir="ltr" autoComplete="tel" {...{ placeholder, readOnly }} />;
  }
  if (field.type === 'number') {
    // Not "number", which hides from scripts what it cannot read, and changes while a page is scrolled.
    return <input {...attributes} type="text" inputMode="decimal" dir="ltr" {...{ placeholder, readOnly }} />;
  }
  const text = { maxLength: fieldLength(field), placeholder, readOnly };
  if (field.type === 'textarea') {
    const className = joinClassNames('eak-field__lines', attributes.className);
    return (
      <textarea {...attributes} {...text} className={className} rows={4} dir="auto" autoComplete={field.autoComplete} />
    );
  }
  return (
    <input
      {...attributes}
      {...text}
      // Not "url", which refuses an address without https:// before the server can add it.
      type="text"
      // The typed text sets the direction, not the page.
      dir={field.type === 'url' ? 'ltr' : 'auto'}
      inputMode={field.type === 'url' ? 'url' : undefined}
      autoComplete={field.autoComplete ?? (field.type === 'url' ? 'url' : undefined)}
    />
  );
}

const toOption = (option: string | FieldOption) =>
  typeof option === 'string' ? { value: option, label: option } : option;

/** A box for each choice. HTML cannot require one of them, so the form does. */
function Choices({ options, attributes }: { options: readonly FieldOption[]; attributes: Attributes }) {
  const { id, required: _, 'aria-describedby': describedBy, ...input } = attributes;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and margins that resets style
    <div id={id} role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {options.map(({ value, label }, index) => (
        <div key={value} className="eak-field eak-field--checkbox">
          <input {...input} id={`${id}-${index}`} type="checkbox" value={value} />
          <label className="eak-field__label" htmlFor={`${id}-${index}`}>
            {label}
          </label>
        </div>
      ))}
    </div>
  );
}

function readInputs(
  declarations: FieldDeclarations,
  container: HTMLElement | null,
): { values: SignupFields | 'invalid'; problems: Problems } {
  const values: Record<string, string | true> = {};
  const problems: Record<string, FieldProblem> = {};
  for (const [name, field] of Object.entries(declarations)) {
    const inputs = [...(container?.querySelectorAll<Input>(`[name=${name}]`) ?? [])];
    const checked = checkValue(field, readInput(inputs, field));
    if ('problem' in checked) problems[name] = checked.problem;
    else if (checked.value !== undefined) values[name] = checked.value;
  }
  return { values: Object.keys(problems).length > 0 ? 'invalid' : values, problems };
}

/** The part of inputs, selects and text areas that is read. */
interface Input extends Element {
  readonly value: string;
  readonly checked?: boolean;
  readonly validity: ValidityState;
}

function readInput(inputs: readonly Input[], field: FieldDeclaration): unknown {
  const [input] = inputs;
  const ticked = inputs.filter(({ checked }) => checked).map(({ value }) => value);
  if (field.type === 'choices') return ticked;
  if (field.type === 'checkbox') return ticked.length > 0 && (field.consent ? field.label : true);
  // A day that is entered in part has no value.
  return input?.validity.badInput ? false : input?.value;
}

function explain(problem: FieldProblem, field: FieldDeclaration, messages: FieldMessages): string {
  if (problem === 'required') {
    if (field.type === 'checkbox') return messages.checkboxRequired;
    return 'options' in field ? messages.choiceRequired : messages.fieldRequired;
  }
  if (problem === 'too-long') {
    return messages.fieldTooLong.replace(
      '{max}',
      String(isTextField(field) ? fieldLength(field) : DEFAULT_FIELD_LENGTH),
    );
  }
  if (field.type === 'tel') return messages.phoneInvalid;
  return field.type === 'url' ? messages.urlInvalid : messages.fieldInvalid;
}
