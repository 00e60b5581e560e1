/** Texts of the signup form and its toasts. */
export interface SignupMessages {
  readonly emailLabel: string;
  readonly emailPlaceholder: string;
  readonly submit: string;
  readonly submitting: string;
  readonly invalidEmail: string;
  readonly successTitle: string;
  readonly successText: string;
  readonly signupSucceeded: string;
  readonly duplicateEmail: string;
  readonly signupFailed: string;
  readonly dismissToast: string;
}

/** Texts of the admin overlay. */
export interface AdminMessages {
  readonly accessTitle: string;
  readonly accessEmailLabel: string;
  readonly accessSubmit: string;
  readonly accessChecking: string;
  readonly accessInvalid: string;
  readonly accessUnavailable: string;
  readonly close: string;
  readonly overviewTitle: string;
  readonly overviewLoading: string;
  readonly overviewEmpty: string;
  readonly overviewUnavailable: string;
  readonly retry: string;
  readonly uniqueVisitors: string;
  readonly emailSignups: string;
  readonly bounceRate: string;
  readonly averageDuration: string;
  readonly lastThirtyDays: string;
  readonly allTime: string;
  readonly logout: string;
  readonly openDashboard: string;
  readonly ignoreOwnVisits: string;
}

/** Texts of the host's own fields. */
export interface FieldMessages {
  readonly fieldRequired: string;
  readonly choiceRequired: string;
  readonly checkboxRequired: string;
  /** `{max}` is replaced by the number of characters. */
  readonly fieldTooLong: string;
  readonly urlInvalid: string;
  readonly phoneInvalid: string;
  readonly fieldInvalid: string;
  /** Shown beside the label of an optional field. */
  readonly fieldOptional: string;
}

/** Texts of human checks. */
export interface HumanMessages {
  /** Announced when a check requires interaction. */
  readonly confirmHuman: string;
}

/** Texts of suggestions for a misspelled domain. */
export interface SuggestionMessages {
  /** `{domain}` is replaced by the domain that was probably meant. */
  readonly suggestDomain: string;
}

/** Every text that a widget shows. A host can replace any of them through the provider's `messages`. */
export interface Messages extends SignupMessages, AdminMessages, FieldMessages, HumanMessages, SuggestionMessages {}

/** The form's English texts. The overlay's texts are bundled with the overlay, which visitors do not load. */
export const englishSignupMessages: SignupMessages = {
  emailLabel: 'Email address',
  emailPlaceholder: 'you@example.com',
  submit: 'Join the beta',
  submitting: 'Joining...',
  invalidEmail: 'Please enter a valid email address',
  successTitle: "You're on the list!",
  successText: "We'll email you when the beta is ready.",
  signupSucceeded: 'Thanks for signing up! Check your email for updates.',
  duplicateEmail: 'This email is already registered!',
  signupFailed: 'Something went wrong. Please try again.',
  dismissToast: 'Dismiss',
};
