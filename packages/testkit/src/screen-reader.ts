import { readFileSync } from 'node:fs';
import { Virtual } from '@guidepup/virtual-screen-reader';

export interface ScreenReader {
  /** Returns the announcements since the last call: newly focused elements, and changes of live regions. */
  heard(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Listens to a part of the page. Roles and states are English in every language, because each screen reader has its own
 * words for them. Shadow roots are not included: listen to an element in each of them.
 */
export async function listenTo(container: Element): Promise<ScreenReader> {
  const reader = new Virtual();
  await reader.start({ container, window: Object.create(window, { MutationObserver: { value: ObserverOfThePage } }) });
  await reader.clearSpokenPhraseLog();
  container.addEventListener('focusin', markChecked);
  return {
    async heard() {
      // Changes are announced in the next task.
      await nextTask();
      await nextTask();
      const phrases = await reader.spokenPhraseLog();
      await reader.clearSpokenPhraseLog();
      return inOrder(keepMeaningful(phrases));
    },
    async stop() {
      container.removeEventListener('focusin', markChecked);
      await reader.stop();
    },
  };
}

/** Reads an element from top to bottom. The ends of elements and paragraphs are left out. */
export async function readThrough(container: Element): Promise<string[]> {
  for (const target of container.querySelectorAll('input')) markChecked({ target });
  const reader = new Virtual();
  await reader.start({ container });
  const top = reader.activeNode;
  const [first = ''] = await reader.spokenPhraseLog();
  const phrases = [first];
  while (phrases.length < LONGEST_READING) {
    await reader.next();
    const phrase = await reader.lastSpokenPhrase();
    // After the end, the reader starts again at the top.
    if (reader.activeNode === top && phrase === first) break;
    phrases.push(phrase);
  }
  await reader.stop();
  return keepMeaningful(phrases);
}

/** More than any reading needs. */
const LONGEST_READING = 1_000;

/** Removes meaningless states, the ends of elements, and emptied live regions. */
function keepMeaningful(phrases: readonly string[]): string[] {
  return phrases
    .map((phrase) => phrase.replaceAll(/(, |^)not (busy|disabled)/g, ''))
    .filter((phrase) => !/^(|document|paragraph|end( of .+)?|(polite|assertive): )$/.test(phrase));
}

/** Sorts polite messages last, because a reader says them when it is idle. */
function inOrder(phrases: readonly string[]): string[] {
  const isPolite = (phrase: string) => phrase.startsWith('polite: ');
  return [...phrases.filter((phrase) => !isPolite(phrase)), ...phrases.filter(isPolite)];
}

/** The reader uses the attribute for the state, but Preact does not set it. */
function markChecked({ target }: Pick<Event, 'target'>): void {
  if (target instanceof HTMLInputElement) target.toggleAttribute('checked', target.checked);
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Ignores removed elements: they are not announced, and the reader cannot name elements outside of the page. */
class ObserverOfThePage extends MutationObserver {
  constructor(onChange: MutationCallback) {
    super(async (mutations, observer) => {
      await nextTask();
      onChange(mutations.filter(isHeard), observer);
    });
  }
}

function isHeard({ type, target, addedNodes }: MutationRecord): boolean {
  return target.isConnected && (type === 'characterData' || addedNodes.length > 0);
}

/** A named action. The announcements after each step are compared with the documentation. */
export type Step<Page> = readonly [name: string, act: (page: Page) => Promise<void>];

/** The announced phrases of each step. */
export type Announced = readonly (readonly [name: string, phrases: readonly string[]])[];

export async function perform<Page>(page: Page, steps: readonly Step<Page>[], ears: ScreenReader): Promise<Announced> {
  const announced: [string, string[]][] = [];
  for (const [name, act] of steps) {
    await ears.heard();
    await act(page);
    announced.push([name, await ears.heard()]);
  }
  return announced;
}

/** Returns Markdown table rows with the name of each step and its announcements in each language. */
export function formatRows(first: Announced, ...others: readonly Announced[]): string[] {
  return first.map(([name, phrases], index) => {
    const cells = [phrases, ...others.map((announced) => announced[index]?.[1] ?? [])].map(formatCell);
    return `| ${[name, ...cells].join(' | ')} |`;
  });
}

/** Returns the rows below `## Announcements` of a documentation page, without padding. */
export function documentedRows(file: string): string[] {
  const section = readFileSync(file, 'utf8').split(/^## Announcements$/m)[1] ?? '';
  const [table = ''] = section.split(/^## /m);
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| '));
}

function formatCell(phrases: readonly string[]): string {
  const cell = phrases.map(markArabic).join('<br/>') || 'nothing';
  // As code, so that renderers do not turn addresses into links.
  return cell.replaceAll(/[\w.]+@[\w.]+\w/g, '`$&`');
}

/** Marks the language of Arabic texts, and isolates their direction from the reader's English words. */
function markArabic(phrase: string): string {
  return phrase
    .replaceAll('\u200e', '')
    .replaceAll(
      /(?:\p{N}+ )?\p{Script=Arabic}(?:(?:[^,:]|,(?=\p{N}))*[\p{Script=Arabic}\p{M}\p{N}.!…])?/gu,
      (text) => `<bdi lang="ar">${text}</bdi>`,
    );
}
