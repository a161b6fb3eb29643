/** A project of a client team: generated clients and the code that calls them, compiled and then run. */
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { generators } from './generators.ts';
import type { Journey, Start } from './project/journey.ts';

const root = join(import.meta.dirname, '../..');

/** Clients whose own code allows exactOptionalPropertyTypes. The others pass `undefined` for absent values. */
const exact = ['openapi-fetch', 'orval'];

export interface Project {
  /** Compiler errors in the generated clients, and in the code that calls them. */
  errors: string[];
  programOf(journey: string): ts.Program;
  /** The project's file with this path, as the compiler names it. */
  file(path: string): string;
  run(path: string, start: Start): Promise<Journey>;
  remove(): Promise<void>;
}

/** Generates each client from each document. Both go by name: `openapi-3.1/clients/orval`. */
export async function createProject(documents: Record<string, object>, baseUrl: string): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), 'sdk-'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  for (const [name, document] of Object.entries(documents)) {
    const input = join(folder, `${name}.json`);
    await writeFile(input, JSON.stringify(document));
    await cp(join(import.meta.dirname, 'project'), join(folder, name), { recursive: true });
    for (const [client, generate] of Object.entries(generators)) {
      await generate({ input, output: join(folder, name, 'clients', client), baseUrl });
    }
  }
  const names = Object.keys(documents);
  const programs = {
    loose: compile(folder, names, ['hey-api', 'swagger-typescript-api'], {}),
    exact: compile(folder, names, exact, { exactOptionalPropertyTypes: true }),
  };
  return {
    errors: Object.values(programs).flatMap((program) => errorsOf(program, folder)),
    programOf: (journey) => (exact.includes(journey) ? programs.exact : programs.loose),
    file: (path) => join(folder, path),
    async run(path, start) {
      const { journey } = await import(join(folder, 'build', path));
      return journey(start);
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** The journeys with the clients that they call, emitted as JavaScript. */
function compile(folder: string, names: string[], journeys: string[], more: ts.CompilerOptions): ts.Program {
  const { config } = ts.readConfigFile(join(import.meta.dirname, 'project/tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, folder);
  const files = names.flatMap((name) => journeys.map((journey) => join(folder, name, `${journey}.ts`)));
  const all = { ...options, ...more, rootDir: folder, outDir: join(folder, 'build') };
  const program = ts.createProgram(files, all, hostOf(all));
  program.emit();
  return program;
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** Parses files that the programs share only once, above all the types of JavaScript and of the browser. */
function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (!parsed.has(name)) parsed.set(name, getSourceFile(name, ...rest));
    return parsed.get(name);
  };
  return host;
}

function errorsOf(program: ts.Program, folder: string): string[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, code, messageText }) => {
    const line = file && file.getLineAndCharacterOfPosition(start).line + 1;
    const text = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${file && relative(folder, file.fileName)}:${line} TS${code} ${text}`;
  });
}
