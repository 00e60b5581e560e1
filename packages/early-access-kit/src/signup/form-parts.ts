import type { ReactNode, RefObject } from 'react';
import type { SignupFields } from '../core/fields.ts';
import type { HumanMessages } from '../core/messages.ts';

/** The host's own fields in the form, made by `signupFields` of `early-access-kit/fields`. */
export interface FormFields {
  render(props: FieldInputsProps): ReactNode;
}

/** What the inputs of the host's own fields need of the form. */
export interface FieldInputsProps {
  /** Gets the function that reads the values: `invalid` if one of them is, which is then explained beside its input. */
  readonly readRef: RefObject<(() => SignupFields | 'invalid') | undefined>;
  /** The id of the email's input; other ids are derived from it. */
  readonly id: string;
  readonly readOnly: boolean;
  readonly disabled: boolean | undefined;
}

/** Asks a service or the browser itself whether a person submits the form. From `early-access-kit/human/…`. */
export interface HumanCheck {
  /** Called each time the focus enters or moves within the form: time to load what `token` needs. */
  prepare?(container: HTMLElement): void;
  /**
   * Returns a new token for each attempt. May show a question in `container`, which is empty and below the button; it
   * takes no room unless it has the attribute `data-asks`. Rejects with a `StorageError` if the service cannot be
   * reached.
   */
  token(container: HTMLElement, messages?: Partial<HumanMessages>): Promise<string>;
}
