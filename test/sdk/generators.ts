/** Generates the clients as a client team does: from the document, with as few options as the generator allows. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { generate as generateOrval } from 'orval';
import { generateApi } from 'swagger-typescript-api';

interface Source {
  /** The file of the document. */
  input: string;
  /** The folder of the client. */
  output: string;
  /** Where the client calls, if the generator writes that into it. */
  baseUrl: string;
}

/** By the name of the client's folder. */
export const generators: Record<string, (source: Source) => Promise<unknown>> = {
  'hey-api': ({ input, output }) =>
    createClient({
      input,
      output: { path: output, module: { extension: '.js' } },
      logs: { level: 'silent' },
    }),

  async 'openapi-typescript'({ input, output }) {
    await mkdir(output, { recursive: true });
    await writeFile(join(output, 'api.ts'), astToString(await openapiTypescript(pathToFileURL(input))));
  },

  orval: ({ input, output, baseUrl }) =>
    generateOrval(
      { input: { target: input }, output: { target: join(output, 'api.ts'), client: 'fetch', baseUrl } },
      process.cwd(),
      { logLevel: 'error' },
    ),

  async 'swagger-typescript-api'({ input, output }) {
    const options = { generateUnionEnums: true, disableThrowOnError: true, silent: true };
    const { files } = await generateApi({ input, output: false, ...options, customTranslator: Unformatted });
    await mkdir(output, { recursive: true });
    // The generated file disables the type checks that these tests are for.
    for (const { fileContent } of files) {
      await writeFile(join(output, 'api.ts'), fileContent.replace('// @ts-nocheck\n', ''));
    }
  },
};

/** Formatting takes half of the generator's time, and changes no type. */
const Unformatted = class {
  translate = async (file: object) => [file];
} as NonNullable<Parameters<typeof generateApi>[0]['customTranslator']>;
