/** What a page without React loads for a form of Formspree's. */
export { useForm, ValidationError } from '@formspree/react';
export { createElement } from 'react';
export { createRoot } from 'react-dom/client';
