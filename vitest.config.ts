import { defineConfig } from 'vitest/config';
import { RunOrder } from './test/run-order.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Three processes for two cores, as some tests wait. Each test file has databases of its own; files of one process share
    // what is loaded and compiled.
    pool: 'forks',
    isolate: false,
    maxWorkers: 3,
    sequence: { sequencer: RunOrder },
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
