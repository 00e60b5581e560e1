import { Failure } from './failure.ts';

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(400, 'invalid', 'the body must be JSON');
  }
}
