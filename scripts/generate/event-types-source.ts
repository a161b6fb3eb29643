import type { OpenAPIV3_1 as OpenAPI } from 'openapi-types';
import { literal } from './literal.ts';
import { requireValue } from './scopes.ts';

/** The event types, as the document's webhooks describe them. */
export function eventTypesSource(document: OpenAPI.Document): string {
  const types = Object.entries(document.webhooks ?? {}).map(([type, item]) => {
    const post = 'post' in item ? item.post : undefined;
    const { description, requestBody } = requireValue(post, `the webhook ${type} has no post`);
    const body =
      requestBody && 'content' in requestBody ? requestBody.content['application/json'] : undefined;
    return { type, description: description?.trim(), example: body?.example };
  });
  return `import type { components } from './api.ts';

export const eventTypes: components['schemas']['EventTypeDescription'][] = ${literal(types)};
`;
}
