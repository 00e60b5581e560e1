/** The script of `<early-access-share>`, for pages that have share links. They load it after embed.js. */
import { scripts } from './main-registry.ts';
import { defineShareElement } from './share-element.ts';

if (!customElements.get('early-access-share')) defineShareElement(scripts.adapter);
