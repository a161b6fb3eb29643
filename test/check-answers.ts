/**
 * Checks the answers in a folder, which SEEN_ANSWERS named while the tests ran: whether they have each error code that the
 * contract lists for an operation, and whether express-openapi-validator's documented middleware accepts them.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { unseenCodes } from './support/coverage.ts';
import { createJudge } from './support/judge.ts';
import { type Answer, readAnswers } from './support/recorded-answers.ts';

/** Compiling an operation's answers takes the validator a second, so each thread has its own operations. */
const THREADS = 2;

/** Why an answer isn't one of the operation's, although it looks like that. */
const excuses: ((answer: Answer, verdict: string) => boolean)[] = [
  // Of another path, such as DELETE /leads/batch, or of an environment that is switched off.
  ({ status }, verdict) =>
    [404, 405].includes(status) && verdict.includes('no schema defined for status code'),
  // Rows from before there were limits, which a test has written to the database.
  ({ body }) => body.includes('x'.repeat(10_001)),
];

if (isMainThread) await checkAll(process.argv[2] ?? '');
else parentPort?.postMessage(await judgeAll(workerData));

async function checkAll(folder: string): Promise<void> {
  const unseen = unseenCodes(new Set(readFileSync(join(folder, 'seen'), 'utf8').split('\n')));
  report('No test has seen these codes of openapi/error-codes-by-operation.yaml:', unseen);
  const answers = readAnswers(folder);
  const operations = [...new Set(answers.map(operationOf))];
  const parts = Array.from({ length: THREADS }, (_, part) =>
    answers.filter((answer) => operations.indexOf(operationOf(answer)) % THREADS === part),
  );
  const verdicts = await Promise.all(
    parts.map(async (part): Promise<string[]> => {
      const [found] = await once(new Worker(new URL(import.meta.url), { workerData: part }), 'message');
      return found;
    }),
  );
  report('The validator rejects these answers:', verdicts.flat());
  console.log(`The validator has judged ${answers.length} answers of ${operations.length} operations.`);
}

function operationOf({ method, path }: Answer): string {
  return `${method} ${path}`;
}

async function judgeAll(answers: readonly Answer[]): Promise<string[]> {
  const judge = createJudge();
  const verdicts: string[] = [];
  for (const answer of answers) {
    const verdict = await judge(answer);
    if (verdict !== undefined && !excuses.some((applies) => applies(answer, verdict))) verdicts.push(verdict);
  }
  return verdicts;
}

function report(problem: string, found: readonly string[]): void {
  if (found.length === 0) return;
  console.error(`${problem}\n  ${found.slice(0, 50).join('\n  ')}`);
  process.exitCode = 1;
}
