import { defineConfig } from 'vitest/config';
import { CoverageReporter } from './test/coverage-reporter.ts';
import { NoSkippedTests } from './test/no-skipped-tests.ts';
import { RunOrder } from './test/run-order.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/observe-answers.ts'],
    reporters: ['default', new CoverageReporter(), new NoSkippedTests()],
    // Five workers on two cores, because most tests spend their time waiting. Each test file has its own databases. Files of
    // one worker share loaded and compiled modules.
    pool: 'forks',
    isolate: false,
    maxWorkers: 5,
    // A worker's heap grows to some hundred MiB. Marking it repeatedly while it grows takes 5 % of the CPU.
    execArgv: ['--initial-old-space-size=512'],
    sequence: { sequencer: RunOrder },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Polls may take long when many tests share a core.
    expect: { poll: { timeout: 15_000 } },
  },
});
