import { type Schema, schemaResolver } from './schemas.ts';

interface Example {
  $ref?: string;
  summary?: string;
  value?: unknown;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, Example>;
}

interface Body {
  content?: Record<string, Media>;
}

interface Operation {
  operationId?: string;
  requestBody?: Body;
  responses?: Record<string, Body>;
}

/** The parts of the document that have examples. */
export interface ExampleDocument {
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: {
    schemas?: Record<string, Schema>;
    examples?: Record<string, Example>;
    responses?: Record<string, Body>;
  };
}

/**
 * An example in openapi/, of a body or of a schema, has only what differs from the examples of the fields. This adds the
 * other required fields, in every object of it. A body without an example gets one that consists of the required fields.
 * Answers with the same schema share it in `components.examples`.
 */
export function completeExamples({ paths = {}, webhooks = {}, components = {} }: ExampleDocument): void {
  const { schemas = {}, responses = {} } = components;
  components.examples ??= {};
  const named = components.examples;
  const { complete, exampleOf } = exampleMaker(schemas);
  for (const [name, schema] of Object.entries(schemas)) {
    if (schema.examples && schema.properties) {
      schema.examples = schema.examples.map((example) => complete(schema, example, name));
    }
  }

  const completeMedia = (media: Media, at: string, shared: boolean) => {
    const { schema, example, examples } = media;
    if (schema === undefined) return;
    if (example !== undefined) media.example = complete(schema, example, at);
    for (const entry of Object.values(examples ?? {})) {
      const target = entry.$ref === undefined ? entry : named[entry.$ref.split('/').at(-1) ?? ''];
      if (target !== undefined) target.value = complete(schema, target.value, at);
    }
    if (example !== undefined || examples !== undefined) return;
    const name = schema.$ref?.split('/').at(-1);
    if (shared && name !== undefined) {
      const summary = schemas[name]?.description?.split('. ')[0]?.replace(/\.\s*$/, '');
      named[name] ??= { summary, value: exampleOf(schema, at) };
      media.examples = { example: { $ref: `#/components/examples/${name}` } };
    } else {
      media.example = exampleOf(schema, at);
    }
  };
  const completeBody = (body: Body | undefined, at: string, shared: boolean) => {
    for (const media of Object.values(body?.content ?? {})) completeMedia(media, at, shared);
  };

  for (const operation of [paths, webhooks].flatMap(operationsIn)) {
    const { operationId, requestBody } = operation;
    completeBody(requestBody, `the request of ${operationId}`, false);
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      completeBody(response, `the ${status} of ${operationId}`, true);
    }
  }
  for (const [name, response] of Object.entries(responses)) completeBody(response, name, false);
}

function operationsIn(paths: Record<string, Record<string, Operation>>): Operation[] {
  return Object.values(paths)
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => operationId !== undefined);
}

/** Functions that complete an example, and make one. */
function exampleMaker(schemas: Record<string, Schema>) {
  const resolve = schemaResolver(schemas);

  function exampleOf(schema: Schema, at: string): unknown {
    const { examples, default: fallback, enum: values, oneOf, type, items } = resolve(schema);
    if (values?.length === 1) return values[0];
    if (examples?.length) return complete(schema, examples[0], at);
    if (fallback !== undefined) return fallback;
    if (values !== undefined) return values[0];
    if (oneOf?.[0] !== undefined) return exampleOf(oneOf[0], at);
    if (type === 'object') return complete(schema, {}, at);
    if (type === 'array' && items !== undefined) return [exampleOf(items, `${at}[0]`)];
    if (Array.isArray(type) && type.includes('null')) return null;
    throw new Error(`The example of ${at} can't be made: its schema has no example.`);
  }

  function complete(schema: Schema, value: unknown, at: string): unknown {
    if (typeof value !== 'object' || value === null) return value;
    const {
      items,
      properties = {},
      required = [],
      additionalProperties,
      examples,
    } = variantOf(schema, value);
    if (Array.isArray(value)) {
      return items === undefined
        ? value
        : value.map((item, index) => complete(items, item, `${at}[${index}]`));
    }
    const written = value as Record<string, unknown>;
    const usual = (examples?.[0] ?? {}) as Record<string, unknown>;
    const fields = Object.entries(properties).flatMap(([name, field]): [string, unknown][] => {
      const inside = `${at}.${name}`;
      if (name in written) return [[name, complete(field, written[name], inside)]];
      if (!required.includes(name)) return [];
      return [[name, name in usual ? complete(field, usual[name], inside) : exampleOf(field, inside)]];
    });
    const others = Object.entries(written)
      .filter(([name]) => !(name in properties))
      .map(([name, other]): [string, unknown] => [
        name,
        typeof additionalProperties === 'object'
          ? complete(additionalProperties, other, `${at}.${name}`)
          : other,
      ]);
    return Object.fromEntries([...fields, ...others]);
  }

  /** The schema itself, or the one of its `oneOf` that the example's discriminator names. */
  function variantOf(schema: Schema, value: object): Schema {
    const { discriminator, ...resolved } = resolve(schema);
    if (discriminator === undefined) return resolved;
    const name = (value as Record<string, string>)[discriminator.propertyName] ?? '';
    return resolve({ $ref: discriminator.mapping[name] ?? '' });
  }

  return { complete, exampleOf };
}
