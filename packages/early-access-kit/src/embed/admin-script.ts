/** The overlay's script, loaded on demand by embed.js. */
import { AdminPanel, css } from './admin-part.ts';
import { scripts } from './main-registry.ts';

scripts.parts.admin = { AdminPanel, css };
