/** The toasts of the form (SPEC section 8). */
export const SUCCEEDED = 'Thanks for signing up! Check your email for updates.';
export const DUPLICATE = 'This email is already registered!';
export const FAILED = 'Something went wrong. Please try again.';
