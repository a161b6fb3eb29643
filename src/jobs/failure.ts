import type { Schema } from '../operation.ts';

/** Why a job as a whole has failed. */
export type Failure = NonNullable<Schema<'JobFailure'>>;

/** The columns of a job, import or replay that say why it has failed. */
export interface FailureColumns {
  failure_code: Failure['code'] | null;
  failure_message: string | null;
}

export function toFailure({ failure_code: code, failure_message: message }: FailureColumns): Failure | null {
  return code === null || message === null ? null : { code, message };
}

export function failureColumns({ code, message }: Failure): FailureColumns {
  return { failure_code: code, failure_message: message };
}
