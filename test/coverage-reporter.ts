import { tmpdir } from 'node:os';
import type { Reporter, TestModule, TestRunEndReason, Vitest } from 'vitest/node';
import { readSeen, unreached } from './support/coverage.ts';

/** Fails a whole run unless the tests have seen every response and every event of the contract. */
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
    const isWhole = modules.length === all?.length && !this.#vitest?.config.testNamePattern;
    // A failed test may be the reason why a response is missing.
    if (!isWhole || reason !== 'passed') return;
    const missing = unreached(readSeen(tmpdir()));
    if (missing.length === 0) return;
    console.error(
      `\nNo test has seen these answers and events of the contract:\n  ${missing.join('\n  ')}\n`,
    );
    process.exitCode = 1;
  }
}
