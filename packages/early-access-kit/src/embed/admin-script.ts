/** The overlay's script, which the other one loads when it is asked for. */
import { AdminPanel, css } from './admin-part.ts';
import { exchange } from './borrowed.ts';

exchange.admin = { AdminPanel, css };
