import { type IdPrefix, toId } from '../values/id.ts';
import type { JobKind } from './tables.ts';

/** The public id of a job. */
export function toJobId(kind: JobKind, id: string): string {
  return toId(prefixOf(kind), id);
}

function prefixOf(kind: JobKind): IdPrefix {
  return kind === 'import' || kind === 'replay' ? kind : 'job';
}
