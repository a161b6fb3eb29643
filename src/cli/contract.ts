import type { Contract } from '../http/validation/contract.ts';

/** Compiles the contract for commands that do what a request does. The others don't load it, which would double their start. */
export async function compileContract(): Promise<Contract> {
  const { createContract } = await import('../http/validation/contract.ts');
  const { readDocument } = await import('../http/validation/document.ts');
  return createContract(await readDocument());
}
