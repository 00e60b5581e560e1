import { readFileSync } from 'node:fs';
import { type FirestoreEmulatorFiles, startFirestoreEmulator } from '../../../testkit/src/firestore-emulator.ts';
import { startFirestoreFake } from '../../src/firestore-fake.ts';
import { EXPRESSIONS } from './expressions.ts';
import { PROJECT_RULES } from './project-rules.ts';
import { REQUEST_GROUPS } from './requests.ts';
import { askQuestions, PROJECT } from './target.ts';
import { TRANSACTION_GROUPS } from './transactions.ts';
import { WRITE_GROUPS } from './writes.ts';

const GROUPS = [...WRITE_GROUPS, ...REQUEST_GROUPS, ...TRANSACTION_GROUPS, ...PROJECT_RULES, ...EXPRESSIONS];

export const RECORDED = new URL('./answers.tsv', import.meta.url);
export const QUESTIONS = GROUPS.reduce((sum, { questions }) => sum + questions.length, 0);

/** The stored answers, a line for each group. */
export function readRecorded(): readonly string[] {
  return readFileSync(RECORDED, 'utf8').trimEnd().split('\n');
}

/** The answers of Google's engine. */
export async function askGoogle(files: FirestoreEmulatorFiles): Promise<readonly string[]> {
  const emulator = await startFirestoreEmulator(files);
  try {
    const { url, host } = emulator;
    return await askQuestions(GROUPS, { url, grpcHost: host, setRules: (text) => emulator.setRules(PROJECT, text) });
  } finally {
    await emulator.stop();
  }
}

/** The answers of the fake. */
export async function askFake(): Promise<readonly string[]> {
  const fake = await startFirestoreFake({ projectId: PROJECT });
  try {
    const { restUrl: url, grpcHost } = fake;
    return await askQuestions(GROUPS, { url, grpcHost, setRules: async (text) => fake.setRules(text) });
  } finally {
    await fake.stop();
  }
}
