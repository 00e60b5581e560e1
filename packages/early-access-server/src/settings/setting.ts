import * as z from 'zod';
import { ConfigError } from '../app/config-error.ts';
import { parseWholeNumber } from '../app/text/whole-number.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface SettingOptions<T> {
  /** The default value in Markdown. If it is left out: `none`. */
  readonly fallback?: string;
  /** Markdown without links. */
  readonly meaning: string;
  /** Parses the text after it was trimmed. */
  readonly schema: z.ZodType<T, string>;
  /** The rule for values. Follows the setting's name in error messages. */
  readonly rule?: string;
  /** The value is a secret or an address, so error messages, which may be logged, must not contain it. */
  readonly isPrivate?: boolean;
  /** A valid value. Settings that have one are in the file written by `init`. */
  readonly example?: string;
  readonly document?: string;
}

/**
 * A setting, by its environment variable. Empty values count as not set. Values are trimmed, because a secret's file
 * often ends with a newline.
 */
export class Setting<T> {
  readonly name: string;
  readonly options: SettingOptions<T>;

  constructor(name: string, options: SettingOptions<T>) {
    this.name = name;
    this.options = options;
  }

  /** Returns null if it is not set. Throws a `ConfigError` if it is invalid. */
  read(env: Environment): T | null {
    const value = env[this.name]?.trim();
    return value ? this.parse(value) : null;
  }

  /** Throws a `ConfigError` if the text is invalid. `name` is used in the error message. */
  parse(value: string, name = this.name): T {
    const { schema, rule = 'cannot be used', isPrivate = false } = this.options;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    // Quoted as JSON, which has no line breaks, so that the message stays on one line.
    throw new ConfigError(`${name} ${rule}${isPrivate ? '' : `, not ${JSON.stringify(value)}`}`);
  }

  /** The meaning and the default without Markdown, for a terminal or a comment. */
  get plainMeaning(): string {
    const { meaning, fallback = 'none' } = this.options;
    return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}. Default: ${fallback}`.replaceAll('`', '');
  }

  /** Also throws a `ConfigError` if it is not set. */
  require(env: Environment): T {
    const value = this.read(env);
    if (value === null) throw new ConfigError(`${this.name} ${this.options.rule ?? 'must be set'}`);
    return value;
  }
}

const ONE_LINE = z.string().regex(/^\P{Cc}*$/u);

export function wholeNumber(min: number, max: number) {
  const schema = z.string().transform(parseWholeNumber).pipe(z.int().min(min).max(max));
  return { schema, rule: `must be a whole number from ${min} to ${max}` };
}

export function onOrOff() {
  return { schema: z.enum(['on', 'off']).transform((value) => value === 'on'), rule: 'must be on or off' };
}

export function defineChoice<const Values extends readonly string[]>(values: Values) {
  return { schema: z.enum(values), rule: `must be one of ${values.join(', ')}` };
}

export function url(example: string, protocol = /^https?$/) {
  // Rejected first, because a URL parser would ignore line breaks.
  const schema = ONE_LINE.pipe(z.url({ protocol })).transform((value) => new URL(value));
  return { schema, rule: `must look like ${example}` };
}

/** A URL without a path, because the server's pages are at the root of its host. */
export function origin(example: string) {
  const { schema } = url(example);
  const isOrigin = ({ pathname, search, hash }: URL) => pathname === '/' && `${search}${hash}` === '';
  return { schema: schema.refine(isOrigin), rule: `must look like ${example}, without a path` };
}

/** Comma-separated values. */
export function defineList(isValid: (value: string) => boolean) {
  return z
    .string()
    .transform((text) => text.split(',').map((value) => value.trim()))
    .refine((values) => values.every(isValid));
}

export function text(isValid: (value: string) => boolean) {
  return z.string().refine(isValid);
}

export function textSetting(name: string, options: Omit<SettingOptions<string>, 'schema' | 'rule'>): Setting<string> {
  return new Setting(name, { ...options, schema: ONE_LINE, rule: 'must be one line without control characters' });
}
