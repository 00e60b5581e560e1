'use client';

export { signupFields } from './fields/more-signup-fields.tsx';
