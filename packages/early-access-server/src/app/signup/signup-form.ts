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

/** Enough for the longest stored page URL. Bounded because normalizing names in a URL takes quadratic time. */
const MAX_REFERER_LENGTH = 4_096;

interface InvalidField {
  readonly problem: FieldProblem;
  readonly label: string;
}

/**
 * Reads the signup from a form sent without scripts. `failed`: it was sent by a bot. `invalid`: the address is invalid.
 * Throws a `StorageError` if anything else except one of the host's fields is invalid. Bound the length of both strings
 * first. `referer` is the request header.
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
 * The values of the host's fields in the form. Undefined for a page from before the fields were declared: unchecked
 * boxes are not sent, so forms with these fields have an input called `fields`. Several values with the same name, as
 * from a `multiple` select, are joined as the custom element does.
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
 * The page and campaign of a form, from the `Referer` header. Only the origin if it is another site. A page without
 * scripts cannot copy its query into hidden fields.
 */
export function attributionOfForm(referer: string | undefined): Attribution {
  const page = referer === undefined || referer.length > MAX_REFERER_LENGTH ? null : URL.parse(referer);
  return page === null ? {} : attributionOf(page);
}
