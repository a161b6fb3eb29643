import { basePaths, type Environment, environments } from '../environment.ts';
import type { Document } from '../http/validation/document.ts';
import { toPlainDocument } from './plain-document.ts';

/**
 * The contract as served to clients: with this service's URLs, open to fields that v1 may add later, and in forms that
 * generators can read.
 */
export function toServedDocument(
  contract: Document,
  publicUrl: string,
  served: readonly Environment[] = environments,
): Document {
  const document = structuredClone(contract);
  const paths = served.map((environment) => basePaths[environment]);
  document.servers = document.servers?.filter(({ url }) => paths.includes(url));
  if (document.info.contact !== undefined) document.info.contact.url = `${publicUrl}/docs/`;
  for (const server of document.servers ?? []) server.url = publicUrl + server.url;
  for (const scheme of Object.values(document.components?.securitySchemes ?? {})) {
    if (!('flows' in scheme) || scheme.flows.clientCredentials === undefined) continue;
    scheme.flows.clientCredentials.tokenUrl = `${document.servers?.[0]?.url}/auth/token`;
  }
  for (const node of [document, ...(document.tags ?? []), ...operationsOf(document)]) {
    if (node.externalDocs !== undefined) node.externalDocs.url = publicUrl + node.externalDocs.url;
  }
  openResponses(document);
  tellWhatIsNotShown(document);
  return toPlainDocument(document);
}

/**
 * The service rejects unknown fields in its own responses, so that no column leaks. Clients must accept them, or a new
 * field would break them. So this removes `additionalProperties: false` from everything the service sends, including
 * events, and keeps it in what clients send.
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

/**
 * Describes the 204 for credentials that may write but not read as text only. As a second success status, it would make the
 * result of every generated client optional.
 */
function tellWhatIsNotShown(document: Document): void {
  for (const { responses = {} } of operationsOf(document)) {
    for (const response of Object.values(responses)) {
      const scopes = response['x-read-scopes'];
      if (scopes === undefined) continue;
      response.description += ` Without the scope ${scopes.join(' and ')}, the answer is a 204 with the \`ETag\` and no body.`;
      delete responses['204'];
    }
  }
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
  'x-read-scopes'?: string[];
}

function resolve(document: Document, ref: string): unknown {
  const names = ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document);
}
