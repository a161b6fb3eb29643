/** Tests the helper that finds untyped parts of responses. */
import ts from 'typescript';
import { expect, it } from 'vitest';
import { untyped } from './response-types.ts';

const source = `
interface Lead {
  tags: any[];
  metadata: Record<string, { value: unknown }>;
  owner: { name: string } | { id: any } | null;
  parent?: Lead;
  version: number;
}
export type Response = { data: Lead; meta: { total: number } };
`;

it('finds each any and unknown once, in lists, maps, unions and recursive types', () => {
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.getSourceFile = (name, target) =>
    name === 'sample.ts' ? ts.createSourceFile(name, source, target) : getSourceFile(name, target);
  const program = ts.createProgram(['sample.ts'], { strict: true, types: [], lib: ['lib.es5.d.ts'] }, host);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile('sample.ts') as ts.SourceFile);
  const [response] = checker.getExportsOfModule(module as ts.Symbol);
  const type = checker.getDeclaredTypeOfSymbol(response as ts.Symbol);
  expect([...untyped(checker, type, 'getLead 200')]).toEqual([
    'getLead 200.data.tags.*',
    'getLead 200.data.metadata.*.value',
    'getLead 200.data.owner.id',
  ]);
});
