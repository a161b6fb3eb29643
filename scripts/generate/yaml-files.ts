import { readdir } from 'node:fs/promises';
import type { BaseResolver } from '@redocly/openapi-core';
import type { Schema } from './schemas.ts';

/** A file of openapi/, as far as the steps before bundling change it. */
interface YamlFile {
  components?: { schemas?: Record<string, Schema> };
  [key: string]: unknown;
}

/** The files of openapi/ by their names. */
export type YamlFiles = Record<string, YamlFile>;

/**
 * Parses the files of a folder. The bundler uses the same resolver, so it sees what is changed in them, and reports a file
 * that is not YAML.
 */
export async function yamlFiles(folder: string, resolver: BaseResolver): Promise<YamlFiles> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'overlay.yaml');
  const files = await Promise.all(
    names.map(async (name): Promise<[string, YamlFile][]> => {
      const document = await resolver.resolveDocument(null, `${folder}/${name}`).catch(() => undefined);
      return document !== undefined && 'parsed' in document ? [[name, document.parsed]] : [];
    }),
  );
  return Object.fromEntries(files.flat());
}
