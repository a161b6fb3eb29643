/** Client generators that are too large to be dependencies of this project. Their versions are exact. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from './tools.ts';

interface Source {
  /** Where the packages are installed. */
  folder: string;
  /** The file of the document. */
  input: string;
  /** The folder of the client. */
  output: string;
}

interface Generator {
  packages: Record<string, string>;
  generate(source: Source): Promise<unknown>;
  /** Adapts the document, if the generator has a limitation that no document can avoid. */
  adapt?(document: object): object;
}

const kubb = '4.39.3';

export const generators: Record<string, Generator> = {
  oazapfts: {
    packages: { oazapfts: '7.5.0', '@oazapfts/runtime': '1.2.0' },
    generate: ({ folder, input, output }) => bin(folder, 'oazapfts', [input, join(output, 'api.ts')]),
  },

  'typed-openapi': {
    packages: { 'typed-openapi': '2.2.7' },
    // The path of the output is relative to the working directory.
    generate: ({ folder, input, output }) =>
      bin(folder, 'typed-openapi', [input, '--output', 'api.ts'], output),
  },

  'openapi-zod-client': {
    packages: { 'openapi-zod-client': '1.18.3', '@zodios/core': '10.9.6', zod: '3.25.76', axios: '1.21.1' },
    generate: ({ folder, input, output }) =>
      bin(folder, 'openapi-zod-client', [input, '--output', join(output, 'api.ts')]),
  },

  'ng-openapi-gen': {
    packages: {
      'ng-openapi-gen': '1.1.0',
      '@angular/core': '21.2.26',
      '@angular/common': '21.2.26',
      rxjs: '7.8.2',
    },
    generate: ({ folder, input, output }) =>
      bin(folder, 'ng-openapi-gen', ['--input', input, '--output', output]),
  },

  kubb: {
    packages: {
      '@kubb/cli': kubb,
      '@kubb/core': kubb,
      '@kubb/plugin-oas': kubb,
      '@kubb/plugin-ts': kubb,
      '@kubb/plugin-client': kubb,
      '@kubb/plugin-zod': kubb,
      zod: '4.6.7',
    },
    async generate({ folder, input, output }) {
      const config = join(folder, 'kubb.config.mjs');
      await writeFile(config, kubbConfig(input, output));
      return bin(folder, 'kubb', ['generate', '--config', config]);
    },
  },

  'openapi-generator-plus': {
    packages: {
      'openapi-generator-plus': '2.22.0',
      '@openapi-generator-plus/typescript-fetch-client-generator': '2.0.0',
      'whatwg-fetch': '3.6.20',
    },
    generate: ({ folder, input, output }) =>
      bin(folder, 'openapi-generator-plus', [
        ...['-g', '@openapi-generator-plus/typescript-fetch-client-generator'],
        ...['-o', output, input],
      ]),
    // It refuses `deepObject` for every object whose names are not known, such as the filter `metadata[plan]`. It also refuses
    // schemas without a type, which take any value.
    adapt: (document) =>
      JSON.parse(JSON.stringify(document), (_key, value) => {
        if (isAnyValue(value)) return { ...value, type: 'object' };
        if (value?.style !== 'deepObject') return value;
        const { style: _, explode: _explode, ...parameter } = value;
        return parameter;
      }),
  },
};

/** In OpenAPI 3.0, a choice between types has become a schema without a type. No other object has only these members. */
function isAnyValue(value: unknown): boolean {
  const names = Object.keys(Object(value));
  const known = ['description', 'example', 'maxProperties', 'x-message'];
  return names.length > 1 && names.includes('description') && names.every((name) => known.includes(name));
}

async function bin(folder: string, name: string, parameters: string[], output = folder): Promise<string> {
  await mkdir(output, { recursive: true });
  return execute(output, process.execPath, [join(folder, 'node_modules/.bin', name), ...parameters]);
}

function kubbConfig(input: string, output: string): string {
  return `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';

export default defineConfig({
  input: { path: ${JSON.stringify(input)} },
  output: { path: ${JSON.stringify(output)}, clean: true, format: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch' }), pluginZod()],
});
`;
}
