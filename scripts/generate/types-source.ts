import openapiTS, { astToString } from 'openapi-typescript';

/** The types of the document as TypeScript. */
export async function typesSource(json: string): Promise<string> {
  const { schemas } = JSON.parse(json).components;
  // The validator fills in defaults, so a field or query parameter with a default is always present.
  const filled = JSON.parse(json, (_key, value) => {
    const schema = schemas[value?.schema?.$ref?.split('/').at(-1)] ?? value?.schema;
    return value?.in === 'query' && schema?.default !== undefined ? { ...value, required: true } : value;
  });
  return astToString(await openapiTS(filled, { silent: true }));
}
