import { useForm, ValidationError } from '@formspree/react';

Object.assign(globalThis, { useForm, ValidationError });
