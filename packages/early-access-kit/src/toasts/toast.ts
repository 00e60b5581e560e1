export interface Toast {
  readonly kind: 'success' | 'error';
  readonly text: string;
}

/** Shows a short message that does not interrupt. */
export type Notify = (toast: Toast) => void;
