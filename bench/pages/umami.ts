/**
 * umami's tracker from its source, in the newest version that is published. It finds its settings on its script
 * element.
 */
import 'umami/src/tracker/index.js';
