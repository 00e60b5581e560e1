import type { ReactNode, RefObject } from 'react';
import type { SignupFields } from '../core/fields.ts';
import type { HumanMessages } from '../core/messages.ts';

/** The host's own fields for the form, created by `signupFields` of `early-access-kit/fields`. */
export interface FormFields {
  render(props: FieldInputsProps): ReactNode;
}

/** Props that the form passes to the inputs of the host's own fields. */
export interface FieldInputsProps {
  /**
   * Set this to a function that returns the values. It returns `invalid` after showing an error if a value is invalid.
   */
  readonly readRef: RefObject<(() => SignupFields | 'invalid') | undefined>;
  /** The id of the email input, from which other ids are derived. */
  readonly id: string;
  readonly readOnly: boolean;
  readonly disabled: boolean | undefined;
}

/** Checks that a human submits the form. Create one with `early-access-kit/human/…`. */
export interface HumanCheck {
  /** Called each time the focus enters or moves within the form, to load what `token` needs. */
  prepare?(container: HTMLElement): void;
  /**
   * Returns a new token for each attempt. May show a question in `container`, an empty element below the button that
   * takes no space unless it has the attribute `data-asks`. Rejects with a `StorageError` if the service cannot be
   * reached.
   */
  token(container: HTMLElement, messages?: Partial<HumanMessages>): Promise<string>;
}
