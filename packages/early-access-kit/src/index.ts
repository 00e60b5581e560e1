// The bundler only preserves this directive at the top of an entry. It makes all widgets client components.
'use client';

export { AdminOverlay, type AdminOverlayProps } from './admin/admin-overlay.tsx';
export type { AdminState, SummaryState } from './admin/admin-state.ts';
export type { AdminOverlayClassNames } from './admin/class-names.ts';
export { type Admin, useAdmin } from './admin/use-admin.ts';
export { isStorageError, StorageError, type StorageErrorCode } from './core/errors.ts';
export type {
  AnalyticsSummary,
  EmailSignup,
  Messages,
  SessionRecord,
  StorageAdapter,
} from './core.ts';
export { EarlyAccessProvider, type EarlyAccessProviderProps } from './provider.tsx';
export type { FieldInputsProps, FormFields, HumanCheck } from './signup/form-parts.ts';
export {
  SignupForm,
  type SignupFormClassNames,
  type SignupFormProps,
  type SignupFormSlots,
} from './signup/signup-form.tsx';
export {
  type Signup,
  type SignupOutcome,
  type SignupStatus,
  type SubmitOptions,
  type UseSignupOptions,
  useSignup,
} from './signup/use-signup.ts';
export type { Notify, Toast, ToastClassNames } from './toasts/toast.ts';
export { SessionTracker, useSessionTracker } from './tracker/session-tracker.tsx';
