import { PERSON_STATES, type PersonState } from '../lifecycle/states.ts';
import { hasWord, matchWords, normalizeWords, splitWords } from './words.ts';

/** Unlike "n" and "un", these rarely occur in names and other short texts. */
const REFUSAL_WORDS = 'no not non never nein nicht nie niet nee geen nao';

/**
 * Vocabulary about consent, in the languages of the form. More words only make more files understood: a value with an
 * unknown word becomes a question.
 */
const VOCABULARY = [
  [
    'out',
    `
      *un+sub* *opt+out* *opted+out* *suppress* *block+list* *black+list* *do+not+* *dont+* *no+mail* *no+email* *dado+de+baja* *abgemeld*
      *abmeld* *abbestell* *desinscri* *desabon* *desuscri* *disiscri* *uitgeschreven* *afgemeld* *wypisan* *descadastr* 配信停止 登録解除
      退订 取消订阅 إلغاء`,
  ],
  // These words are also used for other things, such as orders.
  ['vagueOut', '*disabl* *remov* *cancel* *delet* *archiv* *block* *banned* *spam* *complain* baja'],
  // An opt-out in a column's name, but ambiguous in a value.
  ['inactive', '*inacti* *inaktiv* *inattiv* *deactiv* withdr* revok* declin* refus* reject* *exclud* *invalid*'],
  ['pending', 'pend* await* 待 معلق'],
  ['bounced', '*bounc* cleaned clean+time undeliverable rebot*'],
  ['confirmed', '*confirm* *activated *verif* *bestatig* conferm* bevestig* potwierdz* 確認 确认 مؤكد'],
  [
    'in',
    `
      *subscri* *opt+in *opted+in *consent* consens* *permission* *abonn* *inscri* *suscri* iscri* *angemeldet *anmeld* *einwillig* zustimm*
      ingeschreven aangemeld* toestemming subskry* zapisan* zgod* assinant* 購読 登録 同意 订阅 اشتراك مشترك موافق`,
  ],
  ['vagueIn', '*active activo aktiv actif attivo actief aktywny ativo *enabled *allow* *accept* *agree*'],
  // Kinds of paid plans.
  ['plan', 'regular premium free paid'],
  // A column with one of these words and none of the above asks for consent.
  ['topic', '*marketing* *newsletter* mailing+list*'],
  ['status', '*status statut ステータス 状態 状态 حالة'],
  // Ambiguous: a status or a region.
  ['region', 'state estado stato etat stan'],
  ['yes', 'true yes checked y on 1 x t ja oui si sim tak wahr vrai はい 是 نعم'],
  ['no', `${REFUSAL_WORDS} false n off 0 f un dis pas falsch faux いいえ 未 不 无 لا`],
] as const;
type Concept = (typeof VOCABULARY)[number][0];
const CONCEPTS = VOCABULARY.map(([concept, words]) => [concept, matchWords(words)] as const);

export const DATE_WORDS = 'date time *stamp* *datum *stempel* fecha data horodateur タイムスタンプ 日時 日期 时间';
/** Words that do not change the meaning of the words above. */
export const FILLERS = matchWords(
  `${DATE_WORDS} i is has was e mail* email* to of the for on at by from as all user contact customer member list your receive person
  marked hard double type since am le el il op em dnia timestamp utc d de di 利用 規約 への に を する メール 日 已 ال`,
);
/** Other channels. Their columns say nothing about email. */
const CHANNELS = matchWords('sms phone* call* push whatsapp text telefon* 電話');
/** The last word of columns with the details of an opt-in. */
const DETAIL = /(?:^| )(?:id|uuid|ip|url|source|name)$/;

interface Words {
  readonly words: string;
  readonly found: ReadonlySet<Concept>;
  /** True if every word is in the vocabulary. */
  readonly isComplete: boolean;
}

function readWords(words: string, hasSign = false): Words {
  const found = new Set<Concept>();
  let rest = words;
  for (const [concept, pattern] of CONCEPTS) {
    const next = rest.replace(pattern, ' ');
    if (next !== rest) found.add(concept);
    rest = next;
  }
  return { words, found, isComplete: !hasSign && rest.replace(FILLERS, ' ').trim() === '' };
}

/**
 * How a column's values express consent. `in`, `out`, `bounced`, `confirmed`: a yes or a date means that the person
 * opted in, opted out, and so on. `status`: the values are states. `doubt`: only the admin knows.
 */
export type Polarity = 'in' | 'out' | 'bounced' | 'confirmed' | 'status' | 'doubt';

/**
 * Determines from its name whether a column is about consent; null if it is not. A name only counts as consent if every
 * word in it is known, unlike "Subscription end date". `region`: the cells decide whether it is a state of the list or
 * a region.
 */
export function readColumnName(name: string): Polarity | 'region' | null {
  const hasSign = SIGN_IN_NAME.test(name);
  const text = name.replace(/\p{N}+/gu, ' ');
  const plain = readWords(normalizeWords(text), hasSign);
  const split = readWords(splitWords(text), hasSign);
  const [first, second] = [choosePolarity(plain), choosePolarity(split)];
  if (first === second || second === null) return first;
  // Splitting `UNsubscribed` at its capitals changes the words found.
  return first === null || isSameSet(plain.found, split.found) ? second : 'doubt';
}

function choosePolarity(name: Words): Polarity | 'region' | null {
  const has = (...concepts: readonly Concept[]) => concepts.some((concept) => name.found.has(concept));
  const isOut = has('out', 'vagueOut', 'inactive');
  if (!isOut && !has('bounced', 'pending')) {
    if (!has('confirmed', 'in', 'vagueIn', 'topic', 'status')) return has('region') ? 'region' : null;
    if (DETAIL.test(name.words)) return null;
  }
  if (hasWord(name.words, CHANNELS) && !name.words.includes('mail')) return 'doubt';
  if (isOut) {
    // "Opted out of email: Subscription" is not an opt-in.
    const [head = ''] = name.words.split(/ (?:of|from) /);
    const { found } = readWords(head);
    const isMixed = (['in', 'vagueIn', 'confirmed', 'pending', 'no'] as const).some((concept) => found.has(concept));
    return !isMixed && (has('out') || name.isComplete) ? 'out' : 'doubt';
  }
  if (has('bounced')) return has('no') ? 'doubt' : 'bounced';
  if (!name.isComplete || has('pending')) return 'doubt';
  if (has('confirmed')) return has('no') ? 'doubt' : 'confirmed';
  // An active subscription may be a paid one.
  if (has('in') && has('vagueIn')) return 'doubt';
  if (has('in', 'vagueIn', 'topic')) return has('no') ? 'out' : 'in';
  return 'status';
}

function isSameSet<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

/** The meaning of a value in any column: a state, yes or no. */
export type ValueWords = PersonState | 'yes' | 'no';

/** Longer values are free text. */
export const MAX_VALUE_LENGTH = 100;

/** A symbol may reverse the meaning, as in "-1" or "❌ subscribed". */
const SIGN = /[\p{S}!?*%&#\\]|^\s*\p{Pd}/u;
const SIGN_IN_NAME = /[\p{S}!]/u;

/**
 * Returns null unless all words are known and do not contradict each other. A negation reverses a word: "not
 * subscribed" is unsubscribed.
 */
export function readValue(value: string): ValueWords | null {
  if (SIGN.test(value)) return null;
  const { plain, split } = readForms(value);
  const own = PERSON_STATES.find((state) => state === plain.words);
  if (own !== undefined) return own;
  const [first, second] = [chooseMeaning(plain), chooseMeaning(split)];
  if (first === second || second === null) return first;
  // If only the case separates the words, they may be misread, so they never count as consent.
  return first === null && isCautious(second) ? second : null;
}

function isCautious(value: ValueWords | null): boolean {
  return value === 'unsubscribed' || value === 'bounced' || value === 'pending';
}

function readForms(value: string) {
  const text = value.slice(0, MAX_VALUE_LENGTH + 1);
  return { plain: readWords(normalizeWords(text)), split: readWords(splitWords(text)) };
}

function chooseMeaning({ words, found, isComplete }: Words): ValueWords | null {
  const has = (...concepts: readonly Concept[]) => concepts.some((concept) => found.has(concept));
  if (words.length > MAX_VALUE_LENGTH || !isComplete || has('inactive')) return null;
  const isOut = has('out', 'vagueOut');
  const isIn = has('in', 'vagueIn', 'plan');
  const isPending = has('pending');
  if (!isOut && !isIn && !isPending && !has('bounced', 'confirmed')) {
    return has('yes') === has('no') ? null : has('yes') ? 'yes' : 'no';
  }
  if (has('no')) {
    if (isOut || isPending || has('bounced', 'yes') || isIn === has('confirmed')) return null;
    return isIn ? 'unsubscribed' : 'pending';
  }
  if (isOut) return 'unsubscribed';
  return has('bounced') ? 'bounced' : isPending ? 'pending' : 'subscribed';
}

/** Precheck for speed: a value without any of these words cannot be an opt-out, and large files have many values. */
const OPT_OUT_WORDS = matchWords(
  VOCABULARY.flatMap(([concept, words]) =>
    ['out', 'vagueOut', 'inactive', 'bounced', 'in', 'confirmed'].includes(concept) ? [words] : [],
  ).join(' '),
);

/**
 * A short text with one of these words may be a refusal: "No thanks", "rather not". The last four have other meanings
 * in other languages.
 */
const REFUSALS = matchWords(`${REFUSAL_WORDS} nope nem ne ei nej tidak`);
const MAX_REFUSAL_LENGTH = 40;

/**
 * Returns whether a value is an opt-out, even if its column's name is not about consent. `mentions`: it contains words
 * for an opt-out or refusal among others.
 */
export function findOptOut(value: string): 'says' | 'mentions' | null {
  const words = normalizeWords(value.slice(0, MAX_VALUE_LENGTH));
  const mayRefuse = words.length <= MAX_REFUSAL_LENGTH && !/\d/.test(words) && hasWord(words, REFUSALS);
  if (!hasWord(words, OPT_OUT_WORDS)) return mayRefuse ? 'mentions' : null;
  const { plain, split } = readForms(value);
  const finds = (...concepts: readonly Concept[]) =>
    [plain, split].some(({ found }) => concepts.every((concept) => found.has(concept)));
  const isClear = finds('out') || finds('bounced') || finds('no', 'in') || finds('no', 'confirmed');
  if (isClear && isCautious(readValue(value))) return 'says';
  return mayRefuse || finds('out') || finds('vagueOut') || finds('inactive') || finds('bounced') ? 'mentions' : null;
}
