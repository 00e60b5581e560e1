import { describeMonth } from './month.ts';

process.stdout.write(describeMonth(Number(process.argv[2] ?? 1_000_000)));
