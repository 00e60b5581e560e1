/** The script of `<early-access-share>`, loaded by the page after embed.js. */
import { scripts } from './main-registry.ts';
import { defineShareElement } from './share-element.ts';

if (!customElements.get('early-access-share')) defineShareElement(scripts.adapter);
