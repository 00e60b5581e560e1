import { readFileSync } from 'node:fs';
import { ConfigError } from '../app/config-error.ts';
import { describeError } from '../app/ports/log.ts';

/** Reads a text file provided by the host. Throws an `Error` that says how to correct it. */
export function readTextFile(file: string): string {
  return decodeText(readFileSync(file));
}

/** Reads a JSON file provided by the host. Throws a `ConfigError` that names the setting and the file. */
export function readJsonFile(setting: string, file: string) {
  try {
    return JSON.parse(readTextFile(file));
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} must be a JSON file that can be read: ${describeError(error)}`);
  }
}

/**
 * Decodes UTF-8 or UTF-16 and removes the byte order mark. Throws for any other encoding, because some characters would
 * be lost.
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder(detectEncoding(bytes), { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('it is neither UTF-8 nor UTF-16; save it as UTF-8', { cause });
  }
}

/** Settings and JSON start with an ASCII character, so one of the first two bytes of UTF-16 without a mark is 0. */
function detectEncoding([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8';
}
