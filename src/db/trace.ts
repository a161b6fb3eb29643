import type { Statement } from './query.ts';

/** Runs a query and tells how long it took: by its name, never its values. */
export type TraceQuery = <Result>(
  statement: Pick<Statement<unknown>, 'name' | 'text'>,
  run: () => Promise<Result>,
) => Promise<Result>;

export const untraced: TraceQuery = (_statement, run) => run();
