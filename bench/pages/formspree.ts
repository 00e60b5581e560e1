export { useForm, ValidationError } from '@formspree/react';
