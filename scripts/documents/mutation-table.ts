import { EQUIVALENTS } from '../mutation/equivalent.ts';
import { PARTS } from '../mutation/parts.ts';
import { type Counts, readResults, scoreOf, sumOf } from '../mutation/results.ts';
import { markdownTable, withTable } from './table.ts';

const HEAD = ['changes that compile', 'noticed', 'missed', 'of these equivalent', 'share'];

const EQUIVALENT = 'No test can notice these, because the program does the same.';

/** Returns the document with its tables updated from `scripts/mutation/results.json` and the list of equivalent changes. */
export function withMutations(document: string): string {
  return withTable(document, tables(), 'mutation');
}

function tables(): string {
  const results = readResults();
  const parts = [...PARTS.map(({ name }) => name), 'rules'];
  const byPart = parts.flatMap((name) => {
    const files = results[name];
    return files === undefined ? [] : [[name, ...cellsOf(sumOf(Object.values(files)))]];
  });
  const missing = parts.filter((name) => !(name in results));
  const byFile = Object.values(results)
    .flatMap((files) => Object.entries(files))
    .filter(([, counts]) => counts.killed + counts.survived > 0)
    .map(([file, counts]) => [shortName(file), ...cellsOf(counts)]);
  const equivalents = EQUIVALENTS.map(({ file, reason, changes }) => {
    const diffs = changes.map(([before, after]) => `- ${before}\n+ ${after}`);
    return `\`${shortName(file)}\`: ${reason}\n\n\`\`\`diff\n${diffs.join('\n\n')}\n\`\`\`\n\n`;
  });
  return [
    markdownTable([['part', ...HEAD], ...byPart], 'right'),
    ...(missing.length > 0 ? [`Not yet run: ${missing.join(', ')}.\n`] : []),
    ...(byFile.length > 0 ? [`## By file\n\n${markdownTable([['file', ...HEAD], ...byFile], 'right')}`] : []),
    ...(equivalents.length > 0
      ? [`## Equivalent changes\n\n${EQUIVALENT}\n\n${equivalents.join('').trimEnd()}\n`]
      : []),
  ].join('\n');
}

/** The file without the folders that all packages have. */
function shortName(file: string): string {
  return file.replace('packages/', '').replace('/src/', '/');
}

function cellsOf(counts: Counts): string[] {
  const { killed, survived, equivalent } = counts;
  return [
    ...[killed + survived, killed, survived, equivalent].map((count) => count.toLocaleString('en')),
    `${(scoreOf(counts) * 100).toFixed(1)}%`,
  ];
}
