import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of whole processes, which mostly wait. */
const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/test/process/');

/**
 * The slowest files. A clean checkout has no durations to sort by. Those that hold the service to its seconds come before
 * those that need both cores.
 */
const slow = [
  'process/faults/stop-bounded',
  'process/faults/waiting',
  'process/faults/worker-outage',
  'process/faults/stopped-database',
  'process/faults/embedded-death',
  'process/faults/frozen-database',
  'process/faults/many-processes',
  'process/faults/slow-clients',
  'process/faults/import-bombs',
  'docs/chapters',
  'api/stored-values',
  'sdk/clients',
  'contract/answers',
  'browser/docs-reading',
].map((name) => `/test/${name}.test.ts`);

const isSlow = ({ moduleId }: TestSpecification) => slow.some((path) => moduleId.endsWith(path));

/** Runs the slowest files first, and spreads files that wait among those that compute, to keep the cores busy. */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)));
    const groups = [sorted.filter(waits), sorted.filter((file) => !waits(file))];
    return groups
      .flatMap((group) => group.map((file, index) => ({ file, at: index / group.length })))
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }
}
