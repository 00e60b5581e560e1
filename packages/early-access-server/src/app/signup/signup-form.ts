import { randomUUID } from 'node:crypto';
import {
  type Attribution,
  attributionOf,
  checkValue,
  type EmailSignup,
  type FieldDeclarations,
  type FieldProblem,
  HONEYPOT_FIELD,
  parseEmail,
  parseSignup,
} from 'early-access-kit/internal';

export const FORM_TYPE = 'application/x-www-form-urlencoded';

/**
 * Enough for the longest page that is stored and its campaign. Names in an address are normalised, which takes
 * quadratic time.
 */
const MAX_REFERER_LENGTH = 4_096;

interface InvalidField {
  readonly problem: FieldProblem;
  readonly label: string;
}

/**
 * Reads the signup from a form sent without scripts. `failed`: a bot sent it. `invalid`: the address is not valid.
 * Throws a `StorageError` if anything else but one of the host's own fields is not valid. Bound the length of both
 * strings first; `referer` is the request's header.
 */
export function readSignupForm(
  body: string,
  { referer, declarations }: { readonly referer: string | undefined; readonly declarations: FieldDeclarations },
): EmailSignup | InvalidField | 'failed' | 'invalid' {
  const form = new URLSearchParams(body);
  if (form.get(HONEYPOT_FIELD)) return 'failed';
  const email = readEmail(form);
  if (email === null) return 'invalid';
  const fields = readFields(form, declarations);
  const refused = fields && firstInvalid(fields, declarations);
  if (refused) return refused;
  const signup = {
    email,
    session_id: null,
    source: form.get('source') ?? 'landing_page',
    referrer: null,
    submission_id: randomUUID(),
    ...attributionOfForm(referer),
    fields,
  };
  return parseSignup(signup, declarations);
}

/**
 * The values of the host's fields in the form. Undefined for a form without these fields, because its page is from
 * before the declaration: an unchecked box is not part of a form, so the form says by an input `fields` that it has
 * them. Several values of one name, as of a `multiple` select, become one text, as the element sends them.
 */
function readFields(form: URLSearchParams, declarations: FieldDeclarations): Record<string, string> | undefined {
  const entered = Object.keys(declarations).filter((name) => form.has(name));
  if (!form.has('fields') && entered.length === 0) return;
  return Object.fromEntries(entered.map((name) => [name, form.getAll(name).filter(Boolean).join(', ')]));
}

function firstInvalid(entered: Readonly<Record<string, string>>, declarations: FieldDeclarations): InvalidField | null {
  for (const [name, field] of Object.entries(declarations)) {
    const checked = checkValue(field, entered[name]);
    if ('problem' in checked) return { problem: checked.problem, label: field.label };
  }
  return null;
}

function readEmail(form: URLSearchParams): string | null {
  try {
    return parseEmail(form.get('email'));
  } catch {
    return null;
  }
}

/**
 * The page that a form was sent from and its campaign, by the browser's `Referer`: its address, or only its origin if
 * it belongs to another site. A page without scripts cannot write its own query into hidden fields.
 */
export function attributionOfForm(referer: string | undefined): Attribution {
  const page = referer === undefined || referer.length > MAX_REFERER_LENGTH ? null : URL.parse(referer);
  return page === null ? {} : attributionOf(page);
}
