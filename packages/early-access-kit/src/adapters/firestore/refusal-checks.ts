/** The checks that `toRefusal` loads. A module of its own, because the build gives what is loaded later copies of all it needs. */
export { parseSessionId, parseSessionStart, parseSessionUpdate, parseSignup } from '../../core/validation.ts';
