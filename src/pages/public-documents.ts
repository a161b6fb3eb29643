import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basePaths, type Environment } from '../environment.ts';
import type { Document } from '../http/validation/document.ts';

/** The origin in generated/public/. It is reserved, so no one can have it (RFC 2606). */
export const ORIGIN = 'https://lead-pipeline.invalid';

const FOLDER = join(import.meta.dirname, '../../generated/public');

/** The documents with their media types. */
export const publicDocuments = {
  'openapi.json': 'application/json',
  'openapi-3.0.json': 'application/json',
  'openapi.yaml': 'application/yaml',
  // By the media type of Markdown, browsers would download it.
  'llms.txt': 'text/plain',
} as const;

/** The contract's servers that this service has, with its URL. */
export function ownServers(
  { servers = [] }: Document,
  publicUrl: string,
  environments: readonly Environment[],
) {
  const paths = environments.map((environment) => basePaths[environment]);
  return servers
    .filter(({ url }) => paths.includes(url))
    .map((server) => ({ ...server, url: publicUrl + server.url }));
}

/** The text of a document, as generated. */
export function readPublicDocument(name: string): Promise<Buffer> {
  return readFile(join(FOLDER, name));
}

/**
 * Fills in what differs between services: the servers, the address for tokens, and the links. The servers are one line of
 * JSON in each document, also in YAML.
 */
export function fillIn(
  text: string,
  contract: Document,
  publicUrl: string,
  environments: readonly Environment[],
): string {
  const all = ownServers(contract, ORIGIN, Object.keys(basePaths) as Environment[]);
  const own = ownServers(contract, ORIGIN, environments);
  const missing = all.filter(({ url }) => own.every((server) => server.url !== url));
  const lines = missing.map(({ url, description }) => `- ${description}: ${url}\n`);
  return lines
    .reduce((shorter, line) => shorter.replace(line, ''), text)
    .replace(JSON.stringify(all), () => JSON.stringify(own))
    .replaceAll(`${all[0]?.url}/auth/token`, `${own[0]?.url}/auth/token`)
    .replaceAll(ORIGIN, () => publicUrl);
}
