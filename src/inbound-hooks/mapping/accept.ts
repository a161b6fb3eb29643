import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { invalidField, invalidFields } from '../../problem.ts';
import { checkSize } from '../../resource/fields.ts';
import type { Read } from '../receiving/body/read-body.ts';
import { faultsOfPath } from './check-mapping.ts';
import { createEffort, TooMuchEffort } from './effort.ts';
import { evaluate, toText } from './evaluate-rule.ts';

type Condition = Schema<'InboundHookCondition'>;

/** Steps that the path may take if it is a JSONPath. */
const MAX_STEPS = 50_000;

/** Throws 422 for a wrong JSONPath, and unless there is exactly one condition. */
export function checkCondition(condition: Condition | undefined): void {
  if (condition === undefined || condition === null) return;
  if (Object.keys(condition).length !== 2) {
    throw invalidField('accept_if', 'must have a path and one condition: equals, not_equals, in or exists');
  }
  const faults = faultsOfPath(condition.path);
  if (faults.length > 0) throw invalidFields({ 'accept_if.path': faults });
  checkSize('accept_if', condition, schemas.InboundHookCondition['x-max-bytes']);
}

/** Whether the payload makes a lead. A condition that takes too many steps accepts it: a lead too many is better than none. */
export function isAccepted(condition: Condition, read: Read): boolean {
  if (condition === null) return true;
  const { path, equals, not_equals: unwanted, in: wanted, exists } = condition;
  const found = textsAt(path, read);
  if (found === undefined) return true;
  if (equals !== undefined) return found.includes(equals);
  if (unwanted !== undefined) return !found.includes(unwanted);
  if (wanted !== undefined) return found.some((text) => wanted.includes(text));
  return exists === found.length > 0;
}

/** The texts at the path, of lists those of their members. Undefined if that takes too many steps. */
function textsAt(path: string, read: Read): string[] | undefined {
  try {
    return evaluate(path, read, createEffort(MAX_STEPS)).flat().map(toText);
  } catch (error) {
    if (error instanceof TooMuchEffort || error instanceof RangeError) return undefined;
    throw error;
  }
}
