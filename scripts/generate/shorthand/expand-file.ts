import { addHeaderParameters } from './header-parameters.ts';
import { expandJsonBody, expandRequestBody } from './json-bodies.ts';
import { isNode, mapValues, type Node } from './node.ts';
import { addDefaults } from './operation-defaults.ts';
import { expandParameter, expandParameterList, expandParameters, type ParameterNames } from './parameters.ts';
import { fillPlaceholders } from './placeholders.ts';
import { expandSchema } from './schemas.ts';
import { expandScopes } from './scopes.ts';

interface FileContext extends ParameterNames {
  /** The tag of the file's operations. */
  tag: unknown;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** Writes out the shorthand of a file of openapi/. docs/contributing.md lists it. */
export function expandFile(text: unknown): unknown {
  const file = fillPlaceholders(text);
  if (!isNode(file)) return file;
  const { 'x-tag': tag, 'x-lists': lists, ...parts } = file;
  const context = { tag, own: parameterNames(file), lists: isNode(lists) ? lists : {} };
  return mapValues(parts, (part, key) => {
    if (key === 'paths') return mapValues(part, (item) => expandPath(item, context));
    return key === 'components' ? mapValues(part, expandComponents) : part;
  });
}

function parameterNames({ components }: Node): string[] {
  return isNode(components) && isNode(components.parameters) ? Object.keys(components.parameters) : [];
}

function expandComponents(components: unknown, kind: string): unknown {
  if (kind === 'schemas') return mapValues(components, expandSchema);
  if (kind === 'parameters') return mapValues(components, expandParameter);
  return kind === 'responses' ? mapValues(components, expandJsonBody) : components;
}

function expandPath(item: unknown, context: FileContext): unknown {
  return mapValues(item, (member, key) => {
    if (key === 'parameters') return expandParameterList(member, context);
    return methods.includes(key) && isNode(member) ? expandOperation(member, key, context) : member;
  });
}

function expandOperation(operation: Node, method: string, context: FileContext): Node {
  const { requestBody, responses, ...rest } = operation;
  const whole = {
    ...rest,
    ...(requestBody !== undefined && { requestBody: expandRequestBody(requestBody) }),
    ...(responses !== undefined && { responses: mapValues(responses, expandJsonBody) }),
  };
  const described = addDefaults(whole, method, context.tag);
  return addHeaderParameters(expandParameters(expandScopes(described), context), method);
}
