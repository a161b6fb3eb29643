import type { Document } from '../../../src/http/validation/document.ts';
import { ORIGIN } from '../../../src/pages/public-documents.ts';
import { addCodeSamples } from './code-samples.ts';
import { toPlainDocument } from './plain-document.ts';

/**
 * The contract as clients see it: open to fields that v1 may add later, and in forms that generators can read. Its URLs begin
 * with ORIGIN, which a service replaces by its own.
 */
export function toServedDocument(contract: Document): Document {
  const document = structuredClone(contract);
  if (document.info.contact !== undefined) document.info.contact.url = `${ORIGIN}/docs/`;
  for (const server of document.servers ?? []) server.url = ORIGIN + server.url;
  for (const scheme of Object.values(document.components?.securitySchemes ?? {})) {
    if (!('flows' in scheme) || scheme.flows.clientCredentials === undefined) continue;
    scheme.flows.clientCredentials.tokenUrl = `${document.servers?.[0]?.url}/auth/token`;
  }
  for (const node of [document, ...(document.tags ?? []), ...operationsOf(document)]) {
    if (node.externalDocs !== undefined) node.externalDocs.url = ORIGIN + node.externalDocs.url;
  }
  openResponses(document);
  addCodeSamples(document);
  return toPlainDocument(document);
}

/**
 * The service rejects unknown fields in its own responses, so that no column leaks. Clients must accept them, or a new
 * field would break them. So this removes `additionalProperties: false` from everything the service sends, including
 * events, and keeps it in what only clients send.
 */
function openResponses(document: Document): void {
  const seen = new Set<unknown>();
  const open = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const schema = node as { $ref?: unknown; additionalProperties?: unknown };
    if (typeof schema.$ref === 'string') open(resolve(document, schema.$ref));
    if (schema.additionalProperties === false) delete schema.additionalProperties;
    for (const member of Object.values(node)) open(member);
  };
  for (const { responses } of operationsOf(document)) open(responses);
  open(document.webhooks);
}

/** Also lists of parameters that operations of a path share, which have none of these members. */
function operationsOf({ paths = {} }: Document): Operation[] {
  return Object.values(paths).flatMap((item) => Object.values<object>(Object(item)));
}

interface Operation {
  externalDocs?: { url: string };
  responses?: Record<string, Response>;
}

interface Response {
  description: string;
}

function resolve(document: Document, ref: string): unknown {
  const names = ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
}
