import { isExpanded, type Schema } from '../schemas.ts';
import { expandEnvelope } from './envelopes.ts';
import { expandId } from './ids.ts';
import { isNode, mapValues, type Node } from './node.ts';

const NESTED = ['items', 'additionalProperties', 'propertyNames', 'x-change'];
const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf'];

/**
 * What schemas leave out: an object with `properties` allows no others and requires all but those that `expand` adds, unless
 * it says something else (`required: []`: none). An integer has 32 bits and isn't negative. An instant has 24 characters.
 * `x-visible: true` is a text with a visible character.
 */
export function expandSchema(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const whole = Object.entries(expandId(expandOrder(expandEnvelope(schema) as Node))).map(([key, value]) => [
    key,
    expandNested(key, value),
  ]);
  return asVisible(withLength(withRange(asObject(Object.fromEntries(whole)))));
}

/**
 * `x-order: [created_at, name]`: a list can be sorted by these fields, in both directions. Without `sort`, it is `-created_at`.
 * `x-metadata: true`: also by a key of metadata.
 */
function expandOrder({ 'x-order': fields, 'x-metadata': takesMetadata, ...rest }: Node): Node {
  if (!Array.isArray(fields)) return rest;
  if (takesMetadata) {
    return {
      type: 'string',
      description: 'A field to sort by. A leading `-` means descending.',
      maxLength: 100,
      pattern: `^-?(${fields.join('|')}|metadata\\..{1,40})$`,
      'x-message': `must be one of ${fields.join(', ')}, or metadata. and a key, for descending order with - before it`,
      default: `-${fields[0]}`,
      ...rest,
    };
  }
  return {
    type: 'string',
    description: 'A field to sort by. A leading `-` means descending.',
    enum: fields.flatMap((field) => [field, `-${field}`]),
    default: `-${fields[0]}`,
    ...rest,
  };
}

function expandNested(key: string, value: unknown): unknown {
  if (key === 'properties') return mapValues(value, expandSchema);
  if (NESTED.includes(key)) return expandSchema(value);
  return ALTERNATIVES.includes(key) && Array.isArray(value) ? value.map(expandSchema) : value;
}

function asObject(schema: Node): Node {
  if (!isNode(schema.properties)) return schema;
  const { type = 'object', title, description, ...rest } = schema;
  const { additionalProperties = false, required = alwaysPresent(schema.properties), ...others } = rest;
  return {
    type,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    additionalProperties,
    ...((required as string[]).length > 0 && { required }),
    ...others,
  };
}

function alwaysPresent(properties: Node): string[] {
  return Object.keys(properties).filter((name) => !isExpanded(properties[name] as Schema));
}

function withRange(schema: Node): Node {
  if (![schema.type].flat().includes('integer')) return schema;
  const { type, format = 'int32', minimum = 0, ...rest } = schema;
  return { type, format, minimum, ...rest };
}

function asVisible({ 'x-visible': visible, ...rest }: Node): Node {
  if (!visible) return rest;
  const message = 'must contain a visible character';
  return { ...rest, minLength: 1, pattern: '[^\\p{C}\\p{Z}]', 'x-message': message };
}

function withLength(schema: Node): Node {
  if (schema.format !== 'date-time' || 'maxLength' in schema) return schema;
  const { type, ...rest } = schema;
  return { type, maxLength: 24, ...rest };
}
