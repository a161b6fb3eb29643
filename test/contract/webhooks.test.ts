/** How the document describes the events that webhooks receive. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { isOpen, readDocument, subschemas } from '../support/document.ts';

const { paths, webhooks, components } = readDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

describe('The document', () => {
  it('has a webhook for each type of event, in the same order', () => {
    expect(Object.keys(webhooks)).toEqual(components.schemas.EventType?.enum);
  });

  it('maps each event type to its schema', () => {
    const { discriminator, oneOf = [] } = components.schemas.ApiEvent ?? {};
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual(Object.keys(webhooks));
    expect(oneOf.map(({ properties }) => properties?.type?.enum?.[0])).toEqual(Object.keys(webhooks));
  });

  it('names its paths in kebab-case', () => {
    const kebab = /^(\/([a-z]+(-[a-z]+)*|\{[a-z_]+\}))+$/;
    expect(Object.keys(paths).filter((path) => !kebab.test(path))).toEqual([]);
  });
});

describe.each(Object.entries(webhooks))('The webhook %s', (type, { post }) => {
  const { schema, example } = post?.requestBody?.content['application/json'] ?? { schema: {} };

  it('has a summary and a description', () => {
    expect(post?.summary).toMatch(/^[A-Z].*[^.]$/s);
    expect(post?.description).toMatch(/^[A-Z].*\.\n$/s);
  });

  it('explains how each request is signed', () => {
    const headers = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
    const required = post?.parameters?.filter((parameter) => parameter.required);
    expect(required).toMatchObject(headers.map((name) => ({ name, in: 'header' })));
  });

  it('has an example that is valid for this type, and for no other', () => {
    expect(example).toMatchObject({ type });
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    expect(ajv.validate(components.schemas.ApiEvent ?? {}, example), ajv.errorsText()).toBe(true);
  });

  it('rejects unknown fields', () => {
    const open = [...subschemas(schema, type)].filter(([, part, name]) => isOpen(part, name));
    expect(open.map(([at]) => at)).toEqual([]);
  });

  it('describes everything in it', () => {
    const silent = [...subschemas(schema, type)].filter(([, { description }, name]) => name && !description);
    expect(silent.map(([at]) => at)).toEqual([]);
  });
});
