/** Keywords with the value that applies without them. */
const lowerBounds = [
  ['minimum', -Infinity],
  ['exclusiveMinimum', -Infinity],
  ['minLength', 0],
  ['minItems', 0],
  ['minProperties', 0],
] as const;
const upperBounds = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'x-max-bytes',
] as const;
const otherBounds = ['pattern', 'multipleOf', 'uniqueItems'] as const;

type Bounds = Partial<Record<(typeof lowerBounds)[number][0] | (typeof upperBounds)[number], number>> &
  Partial<Record<(typeof otherBounds)[number], unknown>>;

/** The compared keywords. No `$ref`, because documents are dereferenced before. */
export interface Schema extends Bounds {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  'x-extensible-enum'?: boolean;
  format?: string;
  default?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  required?: string[];
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string };
}

/** Who sends what the schema describes: the client in a request, the service in a response, a header or an event. */
export type Sender = 'client' | 'service';

type Rule = (before: Schema, after: Schema) => string[];

/**
 * Lists the changes that break clients of `before`. The service must still accept everything that a client could send. What
 * the service sends must still have the fields, types and values that a client knows; its bounds and patterns may change.
 */
export function schemaBreaks(before: Schema, after: Schema, sender: Sender, at = ''): string[] {
  const [sent, accepted] = sender === 'client' ? [before, after] : [after, before];
  const choices = variants(accepted);
  return variants(sent).flatMap((one) => {
    const known = choices.filter((choice) => isSameKind(accepted.discriminator, one, choice));
    // A client skips a kind that it doesn't know, so new ones may come.
    if (known.length === 0 && sender === 'service') return [];
    const found = (known.length === 0 ? choices : known).map((choice) =>
      sender === 'client' ? variantBreaks(one, choice, sender, at) : variantBreaks(choice, one, sender, at),
    );
    return found.reduce((fewest, next) => (next.length < fewest.length ? next : fewest));
  });
}

/** The schema without allOf, anyOf and oneOf: one for each alternative. */
function variants({ allOf = [], anyOf, oneOf, ...own }: Schema): Schema[] {
  return [...allOf.map((part) => [part]), anyOf ?? [{}], oneOf ?? [{}]].reduce<Schema[]>(
    (merged, choices) => merged.flatMap((one) => choices.flatMap((choice) => both(one, choice))),
    [own],
  );
}

function both(one: Schema, other: Schema): Schema[] {
  const isPlain = !(other.allOf || other.anyOf || other.oneOf);
  return (isPlain ? [other] : variants(other)).map((variant) => {
    const required = [...(one.required ?? []), ...(variant.required ?? [])];
    return { ...one, ...variant, properties: { ...one.properties, ...variant.properties }, required };
  });
}

/** Whether both have the same value of the discriminator, if there is one. */
function isSameKind(discriminator: Schema['discriminator'], one: Schema, other: Schema): boolean {
  if (discriminator === undefined) return true;
  const [kind, otherKind] = [one, other].map(({ properties = {} }) =>
    JSON.stringify(values(properties[discriminator.propertyName] ?? {})),
  );
  return kind === otherKind;
}

function variantBreaks(before: Schema, after: Schema, sender: Sender, at: string): string[] {
  const messages = rules[sender].flatMap((rule) => rule(before, after));
  return [
    ...messages.map((message) => (at === '' ? message : `${at} ${message}`)),
    ...fieldBreaks(before, after, sender).map((message) => inside(at, message)),
    ...nestedBreaks(before, after, sender, at),
  ];
}

const acceptedTypes: Rule = (before, after) =>
  foreignTypes(before, after).map((type) => `no longer accepts the type ${type}`);

const sentTypes: Rule = (before, after) =>
  foreignTypes(after, before).map((type) => `may have the type ${type} now`);

/** The types that only the first schema has. */
function foreignTypes(of: Schema, other: Schema): string[] {
  if (other.type === undefined || (of.type === undefined && values(of) !== undefined)) return [];
  const known = [other.type].flat();
  return [of.type ?? 'any']
    .flat()
    .filter((type) => !known.includes(type) && !(type === 'integer' && known.includes('number')));
}

const acceptedValues: Rule = (before, after) =>
  foreignValues(before, after).map((value) => `no longer accepts ${value}`);

const sentValues: Rule = (before, after) =>
  before['x-extensible-enum'] ? [] : foreignValues(after, before).map((value) => `may be ${value} now`);

function foreignValues(of: Schema, other: Schema): unknown[] {
  const known = values(other);
  if (known === undefined) return [];
  return (values(of) ?? ['any value']).filter((value) => !known.includes(value));
}

function values({ const: only, enum: several }: Schema): unknown[] | undefined {
  return only === undefined ? several : [only];
}

const acceptedBounds: Rule = (was, is) => {
  const raised = lowerBounds.flatMap(([key, none]) => ((is[key] ?? none) > (was[key] ?? none) ? [key] : []));
  const lowered = upperBounds.filter((key) => (is[key] ?? Infinity) < (was[key] ?? Infinity));
  const others = otherBounds.filter((key) => is[key] && is[key] !== was[key]);
  return [...raised, ...lowered, ...others].map(
    (key) => `has the ${key} ${is[key]} now, not ${was[key] ?? 'any'}`,
  );
};

const formats: Rule = ({ format: was }, { format: is }) =>
  was === is ? [] : [`has the format ${is ?? 'none'} now, not ${was ?? 'none'}`];

/** A description may also state a default, so adding or removing one is not a break. */
const defaults: Rule = (before, after) => {
  const [was, is] = [before.default, after.default].map((value) => JSON.stringify(value));
  const isChanged = was !== undefined && is !== undefined && was !== is;
  return isChanged ? [`has the default ${is} now, not ${was}`] : [];
};

const unknownFields: Rule = ({ type, additionalProperties: was }, { additionalProperties: is }) =>
  [type].flat().includes('object') && was !== false && is === false ? ['refuses unknown fields now'] : [];

const rules: Record<Sender, Rule[]> = {
  client: [acceptedTypes, acceptedValues, acceptedBounds, formats, defaults, unknownFields],
  service: [sentTypes, sentValues, formats],
};

function fieldBreaks(before: Schema, after: Schema, sender: Sender): string[] {
  const { properties: was = {}, required: wasRequired = [] } = before;
  const { properties: is = {}, required: isRequired = [] } = after;
  const removed = Object.keys(was).filter((name) => !(name in is));
  const now = isRequired.filter((name) => !wasRequired.includes(name));
  const noLonger = wasRequired.filter((name) => !isRequired.includes(name) && name in is);
  return [
    ...removed.map((name) => `${name} is removed`),
    ...(sender === 'client'
      ? now.map((name) => `${name} is required now`)
      : noLonger.map((name) => `${name} is no longer required`)),
  ];
}

/**
 * Compares the contents of both: fields, items, names and values of maps. The accepting side has the rules; where the other
 * side has none, it may send anything.
 */
function nestedBreaks(before: Schema, after: Schema, sender: Sender, at: string): string[] {
  const [sent, accepted] = sender === 'client' ? [before, after] : [after, before];
  const sentParts = parts(sent);
  return Object.entries(parts(accepted)).flatMap(([name, rule]) => {
    const isSent = !(
      name in (accepted.properties ?? {}) ||
      (name === '*' && sent.additionalProperties === false)
    );
    const one = sentParts[name] ?? (isSent ? {} : undefined);
    if (one === undefined) return [];
    const [was, is] = sender === 'client' ? [one, rule] : [rule, one];
    return schemaBreaks(was, is, sender, inside(at, name));
  });
}

function parts(schema: Schema): Record<string, Schema> {
  const { properties, patternProperties, items, propertyNames, additionalProperties: others } = schema;
  return {
    ...properties,
    ...patternProperties,
    ...(items && { '[]': items }),
    ...(propertyNames && { '(names)': propertyNames }),
    ...(typeof others === 'object' && { '*': others }),
  };
}

function inside(at: string, name: string): string {
  return at === '' ? name : `${at}.${name}`;
}
