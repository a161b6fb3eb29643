import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, createConfig, getLineColLocation, type NormalizedProblem } from '@redocly/openapi-core';
import { type OpenAPIOverlayAction, type OpenAPIOverlayOptions, openapiOverlay } from 'openapi-format';
import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { parse } from 'yaml';
import { addChangeSchemas } from './change-schemas.ts';
import { documentFaults } from './document-faults.ts';
import { addErrorCodes, type CodedDocument } from './error-codes.ts';
import { addEventTypes } from './event-types.ts';
import { completeExamples, type ExampleDocument } from './examples.ts';
import { addExpandParameters } from './expand-parameters.ts';
import { addFieldsParameters, type ListDocument } from './fields-parameters.ts';
import { addFilterSchemas, type FilterDocument } from './filter-schemas.ts';
import { addLinks, type LinkedDocument } from './links.ts';
import { addOverlayComponents } from './overlay-components.ts';
import { ContractResolver } from './shorthand/contract-resolver.ts';
import { leftovers } from './shorthand/leftovers.ts';
import { yamlFiles } from './yaml-files.ts';

const openapi = fileURLToPath(new URL('../../openapi', import.meta.url));

/** Bundles v1.yaml with the files that it refers to, and applies overlay.yaml. Throws if a file or the document has a fault. */
export async function bundledDocument(folder = openapi): Promise<CodedDocument> {
  const externalRefResolver = new ContractResolver();
  const files = await yamlFiles(folder, externalRefResolver);
  addChangeSchemas(files);
  addEventTypes(files);
  const overlay = await readFile(`${folder}/overlay.yaml`, 'utf8');
  addOverlayComponents(files, overlay);
  const { bundle: bundled, problems } = await bundle({
    ref: `${folder}/v1.yaml`,
    config: await createConfig({}),
    externalRefResolver,
  });
  if (problems.length > 0) throw new Error(problems.map(problemText).join('\n'));
  addFilterSchemas(bundled.parsed as FilterDocument);
  addExpandParameters(bundled.parsed as ListDocument);
  addFieldsParameters(bundled.parsed as ListDocument);
  addLinks(bundled.parsed as LinkedDocument);
  const overlaid = await withOverlay(bundled.parsed, overlay);
  completeExamples(overlaid as ExampleDocument);
  const document: CodedDocument = sorted(overlaid);
  addErrorCodes(document);
  const [leftover] = leftovers(document);
  if (leftover !== undefined) throw new Error(`Nothing writes out the shorthand at ${leftover}`);
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
async function withOverlay(document: OpenAPI.Document, overlay: string): Promise<OpenAPI.Document> {
  const overlaySet: OpenAPIOverlayOptions['overlaySet'] = parse(overlay);
  const { data, resultData } = await openapiOverlay({ ...document }, { overlaySet });
  const [unused] = resultData.unusedActions as OpenAPIOverlayAction[];
  if (unused) throw new Error(`openapi/overlay.yaml: nothing matches the target ${unused.target}`);
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
