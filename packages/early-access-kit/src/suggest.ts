'use client';

export type { SuggestionMessages } from './core/messages.ts';
export { EmailSuggestion } from './suggest/email-suggestion.tsx';
