import type { Environment } from './environment.ts';
import { createContract } from './http/validation/contract.ts';
import type { Document } from './http/validation/document.ts';
import { serveDocuments } from './pages/docs.ts';

export type Prepared = Awaited<ReturnType<typeof prepareDocument>>;

export interface PrepareOptions {
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  environments: readonly Environment[];
  compile?: typeof createContract | undefined;
}

/** Everything that depends only on the document. Takes a quarter of a second. */
export async function prepareDocument(
  document: Document,
  { publicUrl, environments, compile = createContract }: PrepareOptions,
) {
  return {
    contract: compile(document),
    documents: await serveDocuments(document, publicUrl, environments),
  };
}
