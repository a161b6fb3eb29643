import { BaseResolver, type Document, type Source } from '@redocly/openapi-core';
import { expandFile } from './expand-file.ts';

/** Reads the files of openapi/ and writes out their shorthand, so that the bundler sees plain OpenAPI. */
export class ContractResolver extends BaseResolver {
  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    return { ...document, parsed: expandFile(document.parsed) };
  }
}
