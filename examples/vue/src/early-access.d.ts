import type { EarlyAccessComponents } from 'early-access-kit/embed';
import type { HTMLAttributes } from 'vue';

declare module 'vue' {
  interface GlobalComponents extends EarlyAccessComponents<HTMLAttributes> {}
}
