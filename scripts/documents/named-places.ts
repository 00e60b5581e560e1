import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const TOUR = 'docs/tour.md';
const STOPS = 10;
/** A link from a name in the code to its file. */
const PLACE = /\[`(\w+)`\]\((\.\.\/[\w./-]+\.tsx?)\)/g;

/**
 * Returns a complaint for each name in the tour or roadmap that its file does not declare, and unless the tour has ten
 * stops.
 */
export function missingPlaces(): string[] {
  const stops = readFileSync(path.join(ROOT, TOUR), 'utf8').match(/^\d+\. \[`/gm) ?? [];
  const wrongCount =
    stops.length === STOPS ? [] : [`${TOUR} has ${stops.length} stops that begin with a name, not ${STOPS}`];
  return [...wrongCount, ...[TOUR, 'docs/roadmap.md'].flatMap(checkPlaces)];
}

function checkPlaces(document: string): string[] {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  return [...text.matchAll(PLACE)].flatMap(([, name = '', link = '']) => {
    const file = path.join(ROOT, path.dirname(document), link);
    const isDeclared = new RegExp(`\\b(function\\*?|const|class|interface) ${name}\\b`);
    return existsSync(file) && isDeclared.test(readFileSync(file, 'utf8'))
      ? []
      : [`${document}: ${link} declares no ${name}`];
  });
}
