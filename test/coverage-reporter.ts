import { appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { readSeen, unlistedCodes, unreached } from './support/coverage.ts';

/**
 * Fails a run whose answers had error codes that the contract doesn't name for their operation, and a whole run unless the
 * tests have seen every response and every event of the contract.
 */
export class CoverageReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(
    modules: readonly TestModule[],
    _errors: readonly unknown[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const all = await this.#vitest?.globTestSpecifications();
    const seen = readSeen(tmpdir());
    // .ci/run collects what several runs have seen.
    const { SEEN_ANSWERS: folder } = process.env;
    if (folder) appendFileSync(join(folder, 'seen'), [...seen].map((name) => `${name}\n`).join(''));
    report('openapi/error-codes-by-operation.yaml lacks these error codes:', unlistedCodes(seen));
    const isWhole = modules.length === all?.length && !this.#vitest?.config.testNamePattern;
    // A failed test may be the reason why a response is missing.
    if (!isWhole || reason !== 'passed') return;
    report('No test has seen these answers and events of the contract:', unreached(seen));
  }
}

/** Fails the run if there are any. */
function report(problem: string, names: readonly string[]): void {
  if (names.length === 0) return;
  console.error(`\n${problem}\n  ${names.join('\n  ')}\n`);
  process.exitCode = 1;
}
