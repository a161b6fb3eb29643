/** Clients generated from the served documents compile, are typed throughout, and work. */
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../generated/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { TestClient } from '../support/client.ts';
import { mapping } from './project/journey.ts';
import { createProject, type Project } from './project.ts';
import { responseTypes, untyped } from './response-types.ts';

const documents = { 'openapi-3.1': '/openapi.json', 'openapi-3.0': '/openapi-3.0.json' };

/** The journeys, and the generated client that each one uses. */
const clients = {
  'hey-api': 'hey-api',
  'openapi-fetch': 'openapi-typescript',
  orval: 'orval',
  'swagger-typescript-api': 'swagger-typescript-api',
};

/** Where a response may contain any value, which callers have to check. */
const open = [
  // Any JSON that another system sent to a hook.
  /^getInboundDelivery .*\.payload\.\*$/i,
  /^lookUpPerson .*\.payload\.\*$/i,
  // A merge patch and a filter, of a lead or a contact.
  /\.action\.update\.\*$/,
  /\.data\.(\*\.)?filter\.\*$/,
  // Objects without fields, to which orval gives arbitrary ones.
  /^revokeToken 200\.\*$/i,
  /\.data\.changes\.\*$/,
];

/** In 3.0, a choice between types is any value, because Java and Rust clients can't read choices. */
const choices = [/\.mapping\.\*$/, /\.values\.\*\.\*$/, /\.metadata\.\*$/, /\.metadata\.(from|to)\.\*$/];

const combinations = Object.keys(documents).flatMap((document) =>
  Object.entries(clients).map(([journey, client]) => ({ document, journey, client })),
);

let app: TestApp;
let project: Project;

beforeAll(async () => {
  app = await startTestApp();
  const origin = new TestClient(app.url);
  const served = Object.entries(documents).map(async ([name, path]) => [
    name,
    (await origin.get(path).expect(200)).body,
  ]);
  project = await createProject(Object.fromEntries(await Promise.all(served)), `${app.url}/v1`);
}, 120_000);

afterAll(async () => {
  await app.close();
  await project.remove();
});

it('compile under strict TypeScript, with the code that calls them', () => {
  expect(project.errors).toEqual([]);
});

describe.each(combinations)('$client from $document', ({ document, journey, client }) => {
  const folder = `${document}/clients/${client}`;

  const exportsOf = (file: string) => {
    const program = project.programOf(journey);
    const source = program.getSourceFile(project.file(`${folder}/${file}`));
    const module = source && program.getTypeChecker().getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${folder}/${file} is not part of the program.`);
    return program.getTypeChecker().getExportsOfModule(module);
  };

  it('knows the type of every response', () => {
    const checker = project.programOf(journey).getTypeChecker();
    const found = responseTypes[client]?.(checker, exportsOf) ?? [];
    const ids = new Set(found.map(([at]) => at.split(' ')[0]?.toLowerCase()));
    expect(Object.keys(operations).filter((id) => !ids.has(id.toLowerCase()))).toEqual([]);
    const holes = found.flatMap(([at, type]) => [...untyped(checker, type, at)]);
    const known = document === 'openapi-3.0' ? [...open, ...choices] : open;
    expect(holes.filter((hole) => !known.some((pattern) => pattern.test(hole)))).toEqual([]);
  });

  it('completes the journey of a new integrator', async () => {
    const { client_id: clientId, client_secret: clientSecret } = await app.credentials();
    const tag = `${document}-${client}`;
    const seen = await project.run(`${document}/${journey}.js`, {
      baseUrl: `${app.url}/v1`,
      clientId,
      clientSecret,
      tag,
    });
    expect(seen).toMatchObject({
      created: { version: 1, metadata: { plan: 'pro' } },
      duplicate: {
        status: 422,
        code: 'duplicate_email',
        existingId: seen.created.id,
        messages: [expect.any(String)],
      },
      chosen: 3,
      filtered: { names: ['Ada', 'Carl', 'Emmy'], total: 3 },
      walked: ['Emmy', 'Dorothy', 'Carl', 'Blaise', 'Ada'],
      updated: { status: 'contacted', version: 2 },
      stale: { status: 412, code: 'version_mismatch' },
      missing: { status: 404, code: 'not_found' },
      hook: { mapping },
    });
  });
});

describe.each(combinations)('The names in $client from $document', ({ document, journey, client }) => {
  it('shadow no globals, and have no number at the end', () => {
    const program = project.programOf(journey);
    const folder = project.file(`${document}/clients/${client}/`);
    const checker = program.getTypeChecker();
    const modules = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
    const names = modules.flatMap((file) => {
      const module = checker.getSymbolAtLocation(file);
      return module === undefined ? [] : checker.getExportsOfModule(module).map(({ name }) => name);
    });
    expect(names.length).toBeGreaterThan(0);
    const globals = globalNames(program);
    expect(names.filter((name) => globals.has(name) || /[A-Za-z]\d$/.test(name))).toEqual([]);
  });
});

function globalNames(program: ts.Program): Set<string> {
  const [library] = program.getSourceFiles().filter((file) => program.isSourceFileDefaultLibrary(file));
  const flags = ts.SymbolFlags.Type | ts.SymbolFlags.Value;
  const symbols = library === undefined ? [] : program.getTypeChecker().getSymbolsInScope(library, flags);
  return new Set(symbols.map(({ name }) => name));
}
