import path from 'node:path';
import { chromium } from 'playwright';
import { BARE_PAGE, buildClientOnlySite } from './support/compared-pages.ts';
import { slowestInteraction } from './support/interaction.ts';
import { bytesOfDocument, measurePage, type PageFigures } from './support/lighthouse-run.ts';
import type { Question, QuestionOptions } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atLeast, atMost, atMostMore, atMostTimes, type Goal, median, type Row, row } from './support/row.ts';
import { startServer } from './support/running-server.ts';
import type { Interaction } from './support/trace.ts';

const SLOWDOWN = 4;
/** The payload of ten packets, which a server may send before the first acknowledgment. */
const FIRST_FLIGHT = 14_336;

const FIGURES: readonly { name: string; unit: string; of: Exclude<keyof PageFigures, 'longTasks'>; goal: Goal }[] = [
  { name: 'Lighthouse performance, mobile', unit: 'of 100', of: 'performance', goal: atLeast(100) },
  { name: 'largest contentful paint', unit: 'ms', of: 'lcpMs', goal: atMostTimes(0.6) },
  { name: 'total blocking time', unit: 'ms', of: 'tbtMs', goal: atMostMore(0, 'ms') },
  { name: 'cumulative layout shift', unit: '', of: 'cls', goal: atMost(0) },
];

/** The landing page from the real server, compared with the same page rendered in the browser. */
export const page: Question = {
  asks: 'how fast is the landing page?',
  async answer(options) {
    const { folder, tell } = options;
    tell('building the site as a client-only page');
    const usualFolder = await buildClientOnlySite(folder);
    const ours = await startServer({ DATA_DIR: path.join(folder, 'data'), TRUST_PROXY: '1' });
    const usual = await startServer({ DATA_DIR: path.join(folder, 'usual-data'), SITE_DIR: usualFolder });
    try {
      return {
        rows: [...(await loading(`${ours.url}/`, `${usual.url}/`, options)), ...(await using(`${ours.url}/`, options))],
        remarks: [
          {
            heading: 'How the page is measured',
            lines: [
              "Lighthouse's mobile profile with its simulated throttling; both pages in turn, from the same server, brotli.",
              `Interactions with the processor slowed down ${SLOWDOWN} times, by event timing: from the key or the press to the next`,
              'frame on the screen. Keys and presses alone, on a page at rest; frames come every 16.7 ms.',
            ],
          },
        ],
      };
    } finally {
      await Promise.all([ours.stop(), usual.stop()]);
    }
  },
};

async function loading(ours: string, usual: string, { quick, tell }: QuestionOptions): Promise<Row[]> {
  const beside = 'rendered in the browser';
  const runs = { ours: () => measurePage(ours), [beside]: () => measurePage(usual) };
  const rounds = await alternate(runs, { rounds: quick ? 1 : 5, tell });
  const [paint, blocking] = [paintNote(rounds.all('ours')), blockingNote(rounds.all('ours'), rounds.all(beside))];
  return [
    ...FIGURES.map(({ name, unit, of, goal }) =>
      rounds.row({ name, unit, of: (figures) => figures[of], beside, goal, note: of === 'lcpMs' ? paint : blocking }),
    ),
    row({ name: 'document, head included', unit: 'B', ours: await bytesOfDocument(ours), goal: atMost(FIRST_FLIGHT) }),
  ];
}

/** Lists the main thread's work during the median interaction. */
function describeParts(interactions: readonly Interaction[]): string {
  const middle = median(interactions.map(({ ms }) => ms));
  return interactions
    .filter(({ ms }) => ms === middle)
    .map(({ type, parts }) => [type, ...parts.map(({ of, ms }) => `${of} ${ms.toFixed(0)} ms`)].join(', '))
    .join('; ');
}

/**
 * Explains the blocking time, which only counts after the first paint: our page starts and lays out after it, the other
 * page before.
 */
function blockingNote(ours: readonly PageFigures[], theirs: readonly PageFigures[]): string {
  const tasks = (figures: readonly PageFigures[]) =>
    figures
      .at(-1)
      ?.longTasks.map(({ of, ms }) => `${of} ${ms.toFixed(0)} ms`)
      .join(', ');
  return `Tasks of more than 50 ms in the last round, with the processor four times slower: ${tasks(ours)}; in the other page ${tasks(theirs)}.`;
}

/** Lists the parts of the estimate for a slow phone, and the time on this machine. */
function paintNote(figures: readonly PageFigures[]): string {
  const scriptBytes = median(figures.map((run) => run.scriptBytes));
  const observedMs = median(figures.map((run) => run.observedLcpMs));
  return `On this machine the paint came after ${observedMs.toFixed(0)} ms; ${scriptBytes} B of scripts came after it.`;
}

async function using(url: string, { quick, tell }: QuestionOptions): Promise<Row[]> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH ?? '',
    // The tracker ignores browsers that identify as automated.
    args: ['--disable-blink-features=AutomationControlled'],
  });
  try {
    const bare = 'a page of one field and one button';
    const interactions = await alternate(
      {
        ours: () => slowestInteraction(browser, url, { slowdown: SLOWDOWN }),
        [bare]: () => slowestInteraction(browser, url, { slowdown: SLOWDOWN, markup: BARE_PAGE }),
      },
      { rounds: quick ? 1 : 5, tell },
    );
    return [
      interactions.row({
        name: `interaction to next paint, processor ${SLOWDOWN} times slower`,
        unit: 'ms',
        of: ({ ms }) => ms,
        beside: bare,
        // The duration of one frame.
        goal: atMostMore(16, 'ms'),
        note: `The median ones were: ${describeParts(interactions.all('ours'))}; on the bare page: ${describeParts(interactions.all(bare))}.`,
      }),
    ];
  } finally {
    await browser.close();
  }
}
