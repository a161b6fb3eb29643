import type { OperationId } from '../../generated/operations.ts';
import type { ValidationFault } from '../http/validation/fault-translator.ts';
import type { ListQuery } from './filters.ts';

/** The contract, for a command that does what a request does. Others don't need it, and would start half as fast. */
export async function compileContract() {
  const { createContract } = await import('../http/validation/contract.ts');
  const { createFaultTranslator } = await import('../http/validation/fault-translator.ts');
  const { createChecks } = await import('../http/validation/checks.ts');
  const { readDocument } = await import('../http/validation/document.ts');
  const document = await readDocument();
  const contract = createContract(document);
  const translateFaults = createFaultTranslator(document);
  return {
    contract,
    checks: createChecks(contract, translateFaults),
    /** Throws the error that a request with this query would get. */
    checkQuery(operation: OperationId, query: ListQuery): unknown {
      try {
        return contract.checkQuery(operation, query);
      } catch (error) {
        const { errors } = error as { errors?: ValidationFault[] };
        throw errors === undefined ? error : translateFaults(errors);
      }
    },
  };
}
