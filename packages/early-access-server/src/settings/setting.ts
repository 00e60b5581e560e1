import * as z from 'zod';
import { ConfigError } from '../app/config-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface SettingOptions<T> {
  /** The value if it is not set, in Markdown; `none` by default. */
  readonly fallback?: string;
  /** Markdown without links. */
  readonly meaning: string;
  /** Parses the text, whose spaces at both ends are removed. */
  readonly schema: z.ZodType<T, string>;
  /** The rule for the value. Follows the name in error messages. */
  readonly rule?: string;
  /** The value is a secret or an address, so error messages, which may be logged, do not repeat it. */
  readonly isPrivate?: boolean;
  /** A value that can be used. Settings that have one are in the file that `init` writes. */
  readonly example?: string;
  /** The page of the documentation about it. */
  readonly document?: string;
}

/**
 * One setting, by its name in the environment. An empty value counts as not set; a secret's file often ends with a
 * newline.
 */
export class Setting<T> {
  readonly name: string;
  readonly options: SettingOptions<T>;

  constructor(name: string, options: SettingOptions<T>) {
    this.name = name;
    this.options = options;
  }

  /** Null if it is not set. Throws a `ConfigError` if it cannot be used. */
  read(env: Environment): T | null {
    const value = env[this.name]?.trim();
    return value ? this.parse(value) : null;
  }

  /** Throws a `ConfigError` if the text cannot be used. `name` is what the error calls it. */
  parse(value: string, name = this.name): T {
    const { schema, rule = 'cannot be used', isPrivate = false } = this.options;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    // JSON has no line breaks, so the message is always one line.
    throw new ConfigError(`${name} ${rule}${isPrivate ? '' : `, not ${JSON.stringify(value)}`}`);
  }

  /** The meaning and the default, without the marks of Markdown: for a terminal or a comment. */
  get plainMeaning(): string {
    const { meaning, fallback = 'none' } = this.options;
    return `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}. Default: ${fallback}`.replaceAll('`', '');
  }

  /** Throws a `ConfigError` if it is not set, too. */
  require(env: Environment): T {
    const value = this.read(env);
    if (value === null) throw new ConfigError(`${this.name} ${this.options.rule ?? 'must be set'}`);
    return value;
  }
}

const ONE_LINE = z.string().regex(/^\P{Cc}*$/u);

export function wholeNumber(min: number, max: number) {
  const schema = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(min).max(max));
  return { schema, rule: `must be a whole number from ${min} to ${max}` };
}

export function onOrOff() {
  return { schema: z.enum(['on', 'off']).transform((value) => value === 'on'), rule: 'must be on or off' };
}

export function defineChoice<const Values extends readonly string[]>(values: Values) {
  return { schema: z.enum(values), rule: `must be one of ${values.join(', ')}` };
}

export function url(example: string, protocol = /^https?$/) {
  // A URL parser would skip line breaks.
  const schema = ONE_LINE.pipe(z.url({ protocol })).transform((value) => new URL(value));
  return { schema, rule: `must look like ${example}` };
}

/** The pages of this server are at the top of its host, so links would lose a path. */
export function origin(example: string) {
  const { schema } = url(example);
  const isOrigin = ({ pathname, search, hash }: URL) => pathname === '/' && `${search}${hash}` === '';
  return { schema: schema.refine(isOrigin), rule: `must look like ${example}, without a path` };
}

/** Values separated by commas. */
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
