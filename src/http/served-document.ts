import type { Document } from './contract.ts';

/** The contract as clients read it: with this service's addresses, and open to the fields that v1 may yet add. */
export function toServedDocument(contract: Document, publicUrl: string): Document {
  const document = structuredClone(contract);
  for (const server of document.servers ?? []) server.url = publicUrl + server.url;
  for (const scheme of Object.values(document.components?.securitySchemes ?? {})) {
    if (!('flows' in scheme) || scheme.flows.clientCredentials === undefined) continue;
    scheme.flows.clientCredentials.tokenUrl = `${document.servers?.[0]?.url}/auth/token`;
  }
  openAnswers(document);
  return document;
}

/**
 * Our own check of an answer refuses a field that the contract does not know, so that no column leaks. A client must
 * not do so, or a new field would break it: `additionalProperties: false` goes from all that the service sends,
 * events included, and stays where clients send.
 */
function openAnswers(document: Document): void {
  const seen = new Set<unknown>();
  const open = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const schema = node as { $ref?: unknown; additionalProperties?: unknown };
    if (typeof schema.$ref === 'string') open(resolve(document, schema.$ref));
    if (schema.additionalProperties === false) delete schema.additionalProperties;
    for (const member of Object.values(node)) open(member);
  };
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) open((operation as { responses?: unknown }).responses);
  }
  open(document.webhooks);
}

function resolve(document: Document, ref: string): unknown {
  const names = ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
}
