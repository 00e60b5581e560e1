/** The code that a page without React loads for a form of Formspree's. */
import { useForm, ValidationError } from '@formspree/react';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';

Object.assign(globalThis, { useForm, ValidationError, createElement, createRoot });
