import type { Contract } from '../http/validation/contract.ts';

/** Compiles the contract for commands that mirror a request. Loaded lazily, since it doubles the start-up time. */
export async function compileContract(): Promise<Contract> {
  const { createContract } = await import('../http/validation/contract.ts');
  const { readDocument } = await import('../http/validation/document.ts');
  return createContract(await readDocument());
}
