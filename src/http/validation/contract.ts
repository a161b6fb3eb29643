import { operations as contractOperations } from '../../../generated/operations.ts';
import type { Operations } from '../find-operation.ts';
import type { Document } from './document.ts';
import { createRequestChecks, type RequestChecks } from './request-checks.ts';
import { createResponseChecks, type ResponseChecks } from './response-checks.ts';
import { withUris } from './schemas.ts';

/** Validates requests and responses against the document. */
export interface Contract extends RequestChecks, ResponseChecks {}

/**
 * `document` must be valid OpenAPI 3.1, which `npm run generate` checks. `operations` are those of the document. Schemas are
 * compiled on first use, since compiling all of them takes seconds.
 */
export function createContract(document: Document, operations: Operations = contractOperations): Contract {
  const own = withUris(document);
  return { ...createRequestChecks(own, operations), ...createResponseChecks(own) };
}
