import { createInterface } from 'node:readline/promises';

/** Asks for a value. Enter accepts the proposal. */
export type Ask = (question: string, proposal: string) => Promise<string>;

export const askInTerminal: Ask = async (question, proposal) => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`${question} [${proposal}] `).finally(() => terminal.close());
  return answer.trim() || proposal;
};
