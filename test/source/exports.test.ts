/** Rules about the source code that neither the compiler nor the linter knows. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Loaded by a tool, or all of it compiled for its errors or as a project of its own. */
const entryPoints =
  /^(test\/(global-setup|types\/must-not-compile|sdk\/project\/[\w-]+)|src\/db\/migrations\/\d+_\w+)\.ts$/;

const files = globSync(['*.ts', '{src,scripts,test}/**/*.ts']).map((path) =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest),
);

function exportsOf({ fileName, statements }: ts.SourceFile): string[] {
  return statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    const declarations = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations
      : [statement as ts.DeclarationStatement];
    return declarations.flatMap(({ name }) =>
      name !== undefined && ts.isIdentifier(name) ? [`${fileName}#${name.text}`] : [],
    );
  });
}

function importsOf(file: ts.SourceFile): string[] {
  const { fileName, statements, text } = file;
  const from = (specifier: ts.Expression, names: readonly string[]) =>
    ts.isStringLiteral(specifier) && specifier.text.startsWith('.')
      ? names.map((name) => `${join(fileName, '..', specifier.text)}#${name}`)
      : [];
  const loaded = [...text.matchAll(/\{ ([\w, ]+) \} = await import\('([^']+)'\)/g)].flatMap(
    ([, names = '', path = '']) => from(ts.factory.createStringLiteral(path), names.split(', ')),
  );
  const imported = statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return [];
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined) return [];
    const names = ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : [...text.matchAll(new RegExp(`\\b${bindings.name.text}\\.(\\w+)`, 'g'))].map(([, name]) => `${name}`);
    return from(statement.moduleSpecifier, names);
  });
  return [...imported, ...loaded];
}

it('every export is imported somewhere', () => {
  const imported = new Set(files.flatMap(importsOf));
  const exported = files.filter(({ fileName }) => !entryPoints.test(fileName)).flatMap(exportsOf);
  expect(exported.length).toBeGreaterThan(700);
  expect(exported.filter((name) => !imported.has(name))).toEqual([]);
});
