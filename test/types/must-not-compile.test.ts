import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const file = fileURLToPath(new URL('must-not-compile.ts', import.meta.url));
const configFile = fileURLToPath(new URL('../../tsconfig.json', import.meta.url));
const directive = /^ *\/\/ @ts-expect-error TS(\d+)$/;

describe('The compiler', () => {
  it('rejects each violation of the contract and of the tables, for the expected reason', () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const expected = lines.flatMap((line, index) => {
      const [, code] = directive.exec(line) ?? [];
      return code === undefined ? [] : [{ line: index + 1, code: Number(code) }];
    });
    expect(expected.length).toBeGreaterThanOrEqual(30);
    expect(errorsOf(lines.map((line) => (directive.test(line) ? '//' : line)).join('\n'))).toEqual(expected);
  }, 60_000);
});

/** Where the compiler finds an error in this text of the file; the line is that of the directive above it. */
function errorsOf(text: string) {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(
    config.compilerOptions,
    fileURLToPath(new URL('../..', import.meta.url)),
  );
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const readFile = host.readFile.bind(host);
  host.readFile = (name) => (name === file ? text : readFile(name));
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return program.getSemanticDiagnostics(source).map(({ code, start = 0 }) => ({
    line: source?.getLineAndCharacterOfPosition(start).line ?? -1,
    code,
  }));
}
