/** The overlay's script, loaded on demand by embed.js. */
import { AdminPanel, css } from './admin-part.ts';
import { exchange } from './borrowed.ts';

exchange.admin = { AdminPanel, css };
