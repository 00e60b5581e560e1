export interface Toast {
  readonly kind: 'success' | 'error';
  readonly text: string;
  /** Aborted when the message is out of date, as a failure is once the visitor tries again: it is to be taken away then. */
  readonly signal?: AbortSignal | undefined;
}

/** Shows a short message that does not interrupt. */
export type Notify = (toast: Toast) => void;

/** Classes of the host for the parts of the toasts, each beside the kit's own. */
export interface ToastClassNames {
  /** The live region that the toasts stand in, fixed to the window. */
  region?: string | undefined;
  toast?: string | undefined;
  /** A toast that tells a success, besides `toast`. */
  success?: string | undefined;
  /** A toast that tells a failure, besides `toast`. */
  error?: string | undefined;
  text?: string | undefined;
  dismiss?: string | undefined;
}
