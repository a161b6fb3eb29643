import { JSONPathEnvironment, JSONPathError, jsonpath } from 'json-p3';
import { type Effort, metered } from './effort.ts';
import { compilePattern, type Pattern, testPattern } from './pattern.ts';

const { ValueType, LogicalType } = jsonpath.FunctionExpressionType;
const { StringLiteral } = jsonpath.expressions;

/** JSONPath (RFC 9535), with regular expressions that take linear time. */
class Environment extends JSONPathEnvironment {
  constructor(effort: Effort) {
    super();
    const patterns = new Map<string, Pattern | undefined>();
    const define = (name: string, isWhole: boolean) =>
      this.functionRegister.set(name, {
        argTypes: [ValueType, ValueType],
        returnType: LogicalType,
        call(text: unknown, source: unknown) {
          if (typeof text !== 'string' || typeof source !== 'string') return false;
          const pattern = patterns.has(source) ? patterns.get(source) : compilePattern(source, effort);
          patterns.set(source, pattern);
          return pattern !== undefined && testPattern(pattern, text, isWhole, effort);
        },
      });
    define('match', true);
    define('search', false);
  }

  /** Also refuses a wrong regular expression, which would never match otherwise. */
  override checkWellTypedness(...[token, args]: Parameters<JSONPathEnvironment['checkWellTypedness']>) {
    const pattern = args[1];
    const isPattern = ['match', 'search'].includes(token.value) && pattern instanceof StringLiteral;
    if (isPattern && compilePattern(pattern.value, unlimited) === undefined) {
      const message = `'${pattern.value}' is not a regular expression of at most 200 characters`;
      throw new jsonpath.JSONPathTypeError(message, token);
    }
    return super.checkWellTypedness(token, args);
  }
}

const unlimited: Effort = { spend: () => undefined };

/** Why the text is not a JSONPath. Undefined if it is one. */
export function faultOfJsonPath(path: string): string | undefined {
  try {
    new Environment(unlimited).compile(path);
    return undefined;
  } catch (error) {
    // The library ends its messages with the path and a position: ('$.a[':4).
    if (error instanceof JSONPathError) return error.message.replace(/ \('.*':(\d+)\)$/s, ' (character $1)');
    throw error;
  }
}

/** The places that a JSONPath finds, one by one. Throws TooMuchEffort. */
export function* findLocations(
  path: string,
  document: unknown,
  effort: Effort,
): Generator<(string | number)[]> {
  const query = new Environment(effort).compile(path);
  // The document is JSON.
  const value = metered(document, effort) as Parameters<typeof query.lazyQuery>[0];
  for (const node of query.lazyQuery(value)) yield node.location;
}
