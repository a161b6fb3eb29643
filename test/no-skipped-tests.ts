import type { Reporter, TestModule } from 'vitest/node';

/**
 * Fails a run in CI (with the variable CI set) in which a test was skipped. A developer's machine may lack the program that
 * a test needs. In CI that would hide a missing install step.
 */
export class NoSkippedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (!process.env.CI) return;
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result();
        const reason = result.state === 'skipped' ? result.note : undefined;
        return `${module.relativeModuleId}: ${test.fullName}${reason === undefined ? '' : ` (${reason})`}`;
      }),
    );
    // `vitest run -t NAME` skips all others on purpose, but nobody does that in CI.
    if (skipped.length === 0) return;
    console.error(`\nCI must run every test, but these were skipped:\n  ${skipped.join('\n  ')}\n`);
    process.exitCode = 1;
  }
}
