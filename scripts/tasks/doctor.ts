/**
 * Lists what this machine lacks for work on the repository, each with a fix. Exits with 1 only if something is missing
 * that `npm test` requires.
 */
import { formatFinding, inspectMachine } from '@early-access-kit/testkit/machine';
import { ROOT } from '../run.ts';

const findings = await inspectMachine(ROOT);
console.log(findings.map(formatFinding).join('\n'));
const missing = findings.filter(({ found, isRequired }) => isRequired && found === null);
console.log(missing.length === 0 ? '\nnpm test can run here.' : '\nnpm test needs what is missing.');
if (missing.length > 0) process.exitCode = 1;
