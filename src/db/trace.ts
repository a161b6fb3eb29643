import type { Statement } from './query.ts';

/** Runs a query and reports its duration with its name, never with its values. */
export type TraceQuery = <Result>(
  statement: Pick<Statement<unknown>, 'name' | 'text'>,
  run: () => Promise<Result>,
) => Promise<Result>;

export const untraced: TraceQuery = (_statement, run) => run();
