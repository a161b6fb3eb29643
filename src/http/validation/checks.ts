import type { Input, OperationContext } from '../../operation.ts';
import { checkText } from '../body.ts';
import type { Contract } from './contract.ts';
import type { FaultTranslator, ValidationFault } from './fault-translator.ts';

export type Checks = Pick<OperationContext, 'checkBody' | 'checkItem'>;

/** Validates what is not a request's body, with the errors that a request with it would get. */
export function createChecks(contract: Contract, translateFaults: FaultTranslator): Checks {
  const validate = (value: unknown, check: () => unknown) => {
    checkText(value);
    try {
      return check();
    } catch (error) {
      const { errors } = error as { errors?: ValidationFault[] };
      throw errors === undefined ? error : translateFaults(errors);
    }
  };
  return {
    checkBody: (id, body) => validate(body, () => contract.checkBody(id, body)) as Input<typeof id>['body'],
    checkItem: (id, item) => validate(item, () => contract.checkItem(id, item)) as typeof item,
  };
}
