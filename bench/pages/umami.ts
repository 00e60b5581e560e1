/** The latest published version of umami's tracker, from source. It reads its settings from its script element. */
import 'umami/src/tracker/index.js';
