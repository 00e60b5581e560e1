'use client';

export { SignupCount, type SignupCountProps } from './count/signup-count.tsx';
