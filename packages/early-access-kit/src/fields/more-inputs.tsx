import type { ReactNode } from 'react';
import { joinClassNames } from '../class-names.ts';
import type { FieldOption } from '../core/fields.ts';
import { checkValue, fieldLength, labelParts } from '../core/more-fields.ts';
import {
  explain,
  type FieldKinds,
  type FieldView,
  markOptional,
  readInput,
  renderInput,
  renderLabel,
} from './field-inputs.tsx';
import { englishMoreFieldMessages } from './field-messages.ts';

/** All types of fields, with help and links in labels. */
export const allKinds: FieldKinds = {
  renderLabel(view) {
    const { field, classNames, attributes } = view;
    const text = labelParts(field).map(({ text, href }) =>
      href === undefined ? (
        text
      ) : (
        // Opens in a new tab, so that typed text is not lost.
        <a key={text} className="eak-signup__link" href={href} target="_blank" rel="noreferrer">
          {text}
        </a>
      ),
    );
    return (
      <>
        {field.type === 'choices' ? (
          // Labels the group of boxes.
          <span id={labelId(attributes)} className={joinClassNames('eak-field__label', classNames.label)}>
            {text}
            {markOptional(view)}
          </span>
        ) : (
          renderLabel(view, text)
        )}
        {field.help && (
          <p id={helpId(attributes)} className={joinClassNames('eak-field__help', classNames.help)}>
            {field.help}
          </p>
        )}
      </>
    );
  },
  renderInput(view) {
    const { field, attributes } = view;
    const { 'aria-describedby': errorId } = attributes;
    return field.help
      ? renderKind({ ...view, attributes: { ...attributes, 'aria-describedby': `${helpId(attributes)} ${errorId}` } })
      : renderKind(view);
  },
  check(inputs, field) {
    const [...all] = inputs;
    const ticked = all.filter(({ checked }) => checked).map(({ value }) => value);
    if (field.type === 'choices') return checkValue(field, ticked);
    // A partly entered date has an empty value.
    return checkValue(field, all[0]?.validity.badInput ? false : readInput(all, field));
  },
  explain(problem, field, messages) {
    const { phoneInvalid } = { ...englishMoreFieldMessages, ...messages };
    if (problem === 'invalid' && field.type === 'tel') return phoneInvalid;
    if (problem === 'too-long' && field.type === 'textarea') {
      return messages.fieldTooLong.replace('{max}', String(fieldLength(field)));
    }
    return explain(problem, field, messages);
  },
};

const labelId = ({ id }: Pick<FieldView['attributes'], 'id'>) => `${id}-label`;
const helpId = ({ id }: Pick<FieldView['attributes'], 'id'>) => `${id}-help`;

function renderKind(view: FieldView): ReactNode {
  const { field, classNames, readOnly, attributes: given } = view;
  const attributes = { ...given, className: joinClassNames('eak-form__input', classNames.input) };
  switch (field.type) {
    case 'choices':
      return <Choices options={field.options} view={view} />;
    case 'date':
      return <input {...attributes} type="date" min={field.min} max={field.max} readOnly={readOnly} />;
    case 'tel':
      return (
        <input
          {...attributes}
          type="tel"
          dir="ltr"
          autoComplete="tel"
          placeholder={field.placeholder}
          readOnly={readOnly}
        />
      );
    case 'number':
      return (
        <input
          {...attributes}
          // Not "number", which hides invalid text from scripts, and changes when scrolling.
          type="text"
          inputMode="decimal"
          dir="ltr"
          placeholder={field.placeholder}
          readOnly={readOnly}
        />
      );
    case 'textarea':
      return (
        <textarea
          {...attributes}
          className={joinClassNames('eak-field__lines', attributes.className)}
          rows={4}
          dir="auto"
          maxLength={fieldLength(field)}
          autoComplete={field.autoComplete}
          placeholder={field.placeholder}
          readOnly={readOnly}
        />
      );
    default:
      return renderInput(view);
  }
}

/** A checkbox for each choice. HTML cannot require at least one of them, so the form does. */
function Choices({ options, view }: { options: readonly (string | FieldOption)[]; view: FieldView }) {
  const { id, required: _, 'aria-describedby': describedBy, ...input } = view.attributes;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and margins that resets style
    <div id={id} role="group" aria-labelledby={labelId({ id })} aria-describedby={describedBy}>
      {options.map((option, index) => {
        const { value, label } = typeof option === 'string' ? { value: option, label: option } : option;
        return (
          <div key={value} className="eak-field eak-field--checkbox">
            <input
              {...input}
              id={`${id}-${index}`}
              className={joinClassNames('eak-field__checkbox', view.classNames.input)}
              type="checkbox"
              value={value}
            />
            <label className="eak-field__label" htmlFor={`${id}-${index}`}>
              {label}
            </label>
          </div>
        );
      })}
    </div>
  );
}
