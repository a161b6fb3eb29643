import { stringify } from 'yaml';
import type { Document } from '../../../src/http/validation/document.ts';
import { llmsText } from './llms-text.ts';
import { toOpenApi30 } from './openapi-30.ts';
import { toServedDocument } from './served-document.ts';

/** The documents that the service serves, as clients get them but for its addresses. */
export function publicSources(contract: Document, readme: string): Record<string, string> {
  const document = toServedDocument(contract);
  return {
    'generated/public/openapi.json': `${JSON.stringify(document)}\n`,
    'generated/public/openapi-3.0.json': `${JSON.stringify(toOpenApi30(document))}\n`,
    'generated/public/openapi.yaml': yamlSource(document),
    'generated/public/llms.txt': llmsText(document, readme),
  };
}

/** The servers stay one line of JSON, which fillIn() looks for. JSON is YAML too. */
function yamlSource(document: Document): string {
  const place = 'SERVERS';
  // Quotes values that YAML 1.1 parsers, such as Python's, read as timestamps or booleans.
  const text = stringify({ ...document, servers: place }, { lineWidth: 0, compat: 'yaml-1.1' });
  return text.replace(`servers: ${place}`, () => `servers: ${JSON.stringify(document.servers)}`);
}
