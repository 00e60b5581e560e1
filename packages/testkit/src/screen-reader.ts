import { readFileSync } from 'node:fs';
import { Virtual } from '@guidepup/virtual-screen-reader';

export interface ScreenReader {
  /** Returns the announcements since the last call: elements that received the focus, and changes of live regions. */
  heard(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Listens to a part of the page. Roles and states are English in every language, because each screen reader has its own
 * words for them. It does not look into shadow roots: listen to an element in each of them.
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

/** Returns the phrases from the top of an element to its end. Ends of elements and paragraphs are left out. */
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
    // After the end it begins again.
    if (reader.activeNode === top && phrase === first) break;
    phrases.push(phrase);
  }
  await reader.stop();
  return keepMeaningful(phrases);
}

/** No reading is as long. */
const LONGEST_READING = 1_000;

/** Without states that say nothing, the ends of elements, and live regions that were emptied. */
function keepMeaningful(phrases: readonly string[]): string[] {
  return phrases
    .map((phrase) => phrase.replaceAll(/(, |^)not (busy|disabled)/g, ''))
    .filter((phrase) => !/^(|document|paragraph|end( of .+)?|(polite|assertive): )$/.test(phrase));
}

/** The focus first: polite messages wait until the reader has nothing else to say. */
function inOrder(phrases: readonly string[]): string[] {
  const isPolite = (phrase: string) => phrase.startsWith('polite: ');
  return [...phrases.filter((phrase) => !isPolite(phrase)), ...phrases.filter(isPolite)];
}

/** The reader takes the attribute for the state, which Preact does not set. */
function markChecked({ target }: Pick<Event, 'target'>): void {
  if (target instanceof HTMLInputElement) target.toggleAttribute('checked', target.checked);
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Drops removed elements: nothing is announced for them, and the reader cannot name an element that is in no page. */
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

/** An action, with its name in the documentation. Announcements are compared after each step. */
export type Step<Page> = readonly [name: string, act: (page: Page) => Promise<void>];

/** The phrases that each step made the reader say. */
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

/** The rows of a table with the name of each step and what was announced in each language, in Markdown. */
export function formatRows(first: Announced, ...others: readonly Announced[]): string[] {
  return first.map(([name, phrases], index) => {
    const cells = [phrases, ...others.map((announced) => announced[index]?.[1] ?? [])].map(formatCell);
    return `| ${[name, ...cells].join(' | ')} |`;
  });
}

/** The rows below `## Announcements` of a page of the documentation, without padding. */
export function documentedRows(file: string): string[] {
  const section = readFileSync(file, 'utf8').split(/^## Announcements$/m)[1] ?? '';
  const [table = ''] = section.split(/^## /m);
  const rows = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) => row.replaceAll(/ +\|/g, ' |').replaceAll(/\| +/g, '| '));
}

function formatCell(phrases: readonly string[]): string {
  const cell = phrases.map(markArabic).join('<br/>') || 'nothing';
  // As code, so that no renderer makes links of addresses.
  return cell.replaceAll(/[\w.]+@[\w.]+\w/g, '`$&`');
}

/** Marks the language of each Arabic text, and isolates its direction from the reader's English words. */
function markArabic(phrase: string): string {
  return phrase
    .replaceAll('\u200e', '')
    .replaceAll(
      /(?:\p{N}+ )?\p{Script=Arabic}(?:(?:[^,:]|,(?=\p{N}))*[\p{Script=Arabic}\p{M}\p{N}.!…])?/gu,
      (text) => `<bdi lang="ar">${text}</bdi>`,
    );
}
