import { createContract, type Document } from './http/validation/contract.ts';
import { createFaultTranslator } from './http/validation/fault-translator.ts';
import { allowHttp } from './pages/allow-http.ts';
import { serveDocuments } from './pages/docs.ts';

export type Prepared = Awaited<ReturnType<typeof prepareDocument>>;

export interface PrepareOptions {
  /** Origin of the service as clients see it, without a trailing slash. */
  publicUrl: string;
  /** Whether webhooks may point to private addresses, and over http. */
  allowPrivate: boolean;
  compile?: typeof createContract | undefined;
}

/** What depends on the document alone. Takes a quarter of a second. */
export async function prepareDocument(
  document: Document,
  { publicUrl, allowPrivate, compile = createContract }: PrepareOptions,
) {
  const checked = allowPrivate ? allowHttp(document) : document;
  return {
    contract: compile(checked),
    translateFaults: createFaultTranslator(checked),
    documents: await serveDocuments(document, publicUrl),
  };
}
