import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, createConfig, getLineColLocation, type NormalizedProblem } from '@redocly/openapi-core';
import { type OpenAPIOverlayAction, type OpenAPIOverlayOptions, openapiOverlay } from 'openapi-format';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { parse } from 'yaml';
import { documentFaults } from './document-faults.ts';
import { addEventSchemas, type EventDocument } from './event-schemas.ts';
import { addFieldsParameters, type ListDocument } from './fields-parameters.ts';
import { addLinks, type LinkedDocument } from './links.ts';
import { addTwins, type TwinDocument } from './twins.ts';

const openapi = fileURLToPath(new URL('../../openapi', import.meta.url));

/** Bundles v1.yaml with the files that it refers to, and applies overlay.yaml. Throws if a file or the document has a fault. */
export async function bundledDocument(folder = openapi): Promise<OpenAPI.Document> {
  const ref = `${folder}/v1.yaml`;
  const { bundle: bundled, problems } = await bundle({ ref, config: await createConfig({}) });
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  addTwins(bundled.parsed as TwinDocument);
  addEventSchemas(bundled.parsed as EventDocument);
  addFieldsParameters(bundled.parsed as ListDocument);
  addLinks(bundled.parsed as LinkedDocument);
  const document = sorted(await withOverlay(bundled.parsed, `${folder}/overlay.yaml`));
  const [fault] = await documentFaults(document);
  if (fault !== undefined) throw new Error(`The document is not valid OpenAPI: ${fault}`);
  return document;
}

function problemText({ message, location: [location] }: NormalizedProblem): string {
  if (location === undefined) return message;
  const { source, start } = getLineColLocation(location);
  return `${relative('.', source.absoluteRef)}:${start.line}:${start.col}: ${message}`;
}

/** Applies an OpenAPI Overlay. Throws if one of its actions matches nothing, as after a typing error. */
async function withOverlay(document: OpenAPI.Document, file: string): Promise<OpenAPI.Document> {
  const overlaySet: OpenAPIOverlayOptions['overlaySet'] = parse(await readFile(file, 'utf8'));
  const { data, resultData } = await openapiOverlay({ ...document }, { overlaySet });
  const [unused] = resultData.unusedActions as OpenAPIOverlayAction[];
  if (unused) throw new Error(`${relative('.', file)}: nothing matches the target ${unused.target}`);
  return data as OpenAPI.Document;
}

/** The document with its components in the order of their names. */
function sorted(document: OpenAPI.Document): OpenAPI.Document {
  const components = Object.entries(document.components ?? {}).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1))),
  ]);
  return { ...document, components: Object.fromEntries(components) };
}
