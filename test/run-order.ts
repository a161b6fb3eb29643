import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of whole processes, which mostly wait. */
const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/test/process/');

/** The longest files first, and those that wait spread evenly among those that compute, so that the cores are busy throughout. */
export class RunOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groups = [sorted.filter(waits), sorted.filter((file) => !waits(file))];
    return groups
      .flatMap((group) => group.map((file, index) => ({ file, at: index / group.length })))
      .sort((a, b) => a.at - b.at)
      .map(({ file }) => file);
  }
}
