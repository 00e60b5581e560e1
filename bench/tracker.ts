import { chromium } from 'playwright';
import type { Question } from './support/question.ts';
import { alternate } from './support/rounds.ts';
import { atMost, atMostTimes } from './support/row.ts';
import { type TrackedMinute, trackedMinute } from './support/tracked-minute.ts';
import { OURS, PLAUSIBLE, type Tracker, UMAMI } from './support/trackers.ts';

/** The same session with each tracker: the main thread's processor time, and the requests to the tracker's server. */
export const tracker: Question = {
  asks: 'what does the tracker cost the page, and what does it send for that?',
  async answer({ quick, tell }) {
    const seconds = quick ? 10 : 60;
    const browser = await chromium.launch({
      executablePath: process.env.CHROME_PATH ?? '',
      // Trackers ignore browsers that identify as automated.
      args: ['--disable-blink-features=AutomationControlled'],
    });
    const run = (tracker: Tracker) => () => trackedMinute(browser, tracker, seconds);
    const others = [PLAUSIBLE.name, UMAMI.name] as const;
    try {
      const runs = { ours: run(OURS), [PLAUSIBLE.name]: run(PLAUSIBLE), [UMAMI.name]: run(UMAMI) };
      const rounds = await alternate(runs, { rounds: quick ? 1 : 3, tell });
      const visit = `${seconds} s of scrolling and clicking, two page views`;
      const compareRows = (name: string, unit: string, of: (minute: TrackedMinute) => number) =>
        others.map((beside) => rounds.row({ name, unit, of, beside }));
      return {
        rows: [
          ...others.map((beside) =>
            rounds.row({
              name: `tracker, ${visit}, main thread`,
              unit: 'ms',
              of: ({ ms }) => ms,
              beside,
              note: rounds.all('ours').slice(0, 1).map(formatProfile).join(),
              // umami records neither scrolling nor time.
              goal: atMostTimes(beside === UMAMI.name ? 2 : 0.3),
            }),
          ),
          rounds.row({
            name: 'layouts that it forced',
            unit: '',
            of: ({ forcedLayouts }) => forcedLayouts,
            goal: atMost(0),
          }),
          ...compareRows('sent in that time', 'B', ({ bytes }) => bytes),
          ...compareRows('sent for each recorded field', 'B', ({ bytes, fields }) => bytes / fields.length),
        ],
        remarks: [
          {
            heading: 'What the trackers did in the first round',
            lines: ['ours', ...others].flatMap((name) => rounds.all(name).slice(0, 1).flatMap(formatMinute(name))),
          },
        ],
      };
    } finally {
      await browser.close();
    }
  },
};

/** Lists the time by caller, largest first. */
function formatProfile({ profile }: TrackedMinute): string {
  const parts = [...profile].sort(([, a], [, b]) => b - a).map(([cause, ms]) => `${cause} ${ms.toFixed(1)} ms`);
  return `${parts.join(', ')}.`;
}

function formatMinute(name: string) {
  return (minute: TrackedMinute): string[] => [
    `${name}: ${minute.requests} requests, ${minute.bytes} B, ${minute.forcedLayouts} forced layouts`,
    `  main thread: ${formatProfile(minute)}`,
    `  sent: ${minute.fields.join(', ')}`,
  ];
}
