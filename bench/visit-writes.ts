import { MINUTE_MS, SECOND_MS } from 'early-access-kit/internal';
import type { Question } from './support/question.ts';
import { atMost, type Row, row } from './support/row.ts';
import { openVisit, type ScriptedVisit } from './support/scripted-visit.ts';
import { OURS, OURS_ON_FIRESTORE, PLAUSIBLE, type Tracker } from './support/trackers.ts';

interface Course {
  readonly name: string;
  /** Page views after the first, and the number of times the page is hidden before the end. */
  readonly furtherViews: number;
  readonly timesHidden: number;
  /** Time between two of these events. */
  readonly partMs: number;
}

const COURSES: readonly Course[] = [
  { name: '10 s, one page', furtherViews: 0, timesHidden: 0, partMs: 10 * SECOND_MS },
  { name: '2 min, three pages, hidden once', furtherViews: 2, timesHidden: 1, partMs: 30 * SECOND_MS },
  { name: '1 h, six pages, hidden four times', furtherViews: 5, timesHidden: 4, partMs: 6 * MINUTE_MS },
];

/** Writes per session: one for the start, each further page view, each time hidden and the end; no heartbeat. */
export const visitWrites: Question = {
  asks: 'how often does a visit write to the store?',
  exact: true,
  async answer() {
    const rows: Row[] = [];
    for (const course of COURSES) {
      const writes = (await playVisit(OURS, course)).length;
      const events = (await playVisit(PLAUSIBLE, course)).length;
      const limit = 2 + course.furtherViews + course.timesHidden;
      rows.push(
        row({
          name: `visit of ${course.name}`,
          unit: 'writes',
          ours: writes,
          theirs: events,
          against: `${PLAUSIBLE.name}, requests`,
          goal: atMost(limit),
        }),
      );
    }
    for (const course of COURSES) {
      const documents = (await playVisit(OURS_ON_FIRESTORE, course)).map(({ body }) => countWrites(body));
      rows.push(
        row({
          name: `the same on Firestore, ${course.name.split(',')[0]}`,
          unit: 'document writes',
          ours: documents.reduce((sum, count) => sum + count, 0),
          note: 'The visitor has a document of his own, which is written once a visit.',
        }),
      );
    }
    return { rows };
  },
};

/** Plays the session on a fake clock with the real tracker and adapter, and counts every request. */
async function playVisit(
  { page }: Tracker,
  { furtherViews, timesHidden, partMs }: Course,
): Promise<ScriptedVisit['sent']> {
  const visit = await openVisit(page);
  for (let part = 0; part < Math.max(furtherViews, timesHidden); part += 1) {
    await lookAround(visit, partMs);
    if (part < furtherViews) await visit.go(`/page-${part}`);
    if (part >= timesHidden) continue;
    await lookAround(visit, partMs);
    await visit.hide();
    await visit.wait(partMs / 2);
    await visit.show();
  }
  await lookAround(visit, partMs);
  await visit.leave();
  visit.end();
  return visit.sent;
}

async function lookAround(visit: ScriptedVisit, ms: number): Promise<void> {
  visit.scrollTo(800);
  await visit.wait(ms / 2);
  visit.click();
  await visit.wait(ms / 2);
}

/** Returns the number of documents that a call of Firestore's REST API writes. */
function countWrites(body: string): number {
  const { writes }: { writes?: unknown } = JSON.parse(body);
  return Array.isArray(writes) ? writes.length : 0;
}
