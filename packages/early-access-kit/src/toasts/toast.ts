/** A message for the toast region. */
export interface Toast {
  readonly kind: 'success' | 'error';
  readonly text: string;
  /** Aborted when the message is outdated, such as a failure when the visitor tries again. Remove the message then. */
  readonly signal?: AbortSignal | undefined;
}

/** Shows a short message that does not interrupt. */
export type Notify = (toast: Toast) => void;

/** The host's classes for the parts of the toasts, each added to the kit's own. */
export interface ToastClassNames {
  /** The live region that contains the toasts, fixed to the viewport. */
  region?: string | undefined;
  toast?: string | undefined;
  /** A success toast, in addition to `toast`. */
  success?: string | undefined;
  /** A failure toast, in addition to `toast`. */
  error?: string | undefined;
  text?: string | undefined;
  dismiss?: string | undefined;
}
