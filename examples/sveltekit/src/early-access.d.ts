import type { EarlyAccessElements } from 'early-access-kit/embed';
import type { HTMLAttributes } from 'svelte/elements';

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends EarlyAccessElements<HTMLAttributes<HTMLElement>> {}
}
