interface Schema {
  description?: string;
  enum?: string[];
  properties?: Record<string, object>;
  [keyword: string]: unknown;
}

interface Webhook {
  summary?: string;
  operationId?: string;
  requestBody?: { content: { 'application/json': { schema: Schema | { $ref: string } } } };
}

/** The parts of the bundled document that describe events. */
export interface EventDocument {
  webhooks?: Record<string, { post?: Webhook }>;
  components?: { schemas?: Record<string, Schema> };
}

/**
 * events.yaml describes an event in general (ApiEvent) and each type's data. This adds a schema for each type, such as
 * LeadCreatedEvent, makes ApiEvent their union, and puts the types into the enums.
 */
export function addEventSchemas({ webhooks = {}, components: { schemas = {} } = {} }: EventDocument): void {
  const { ApiEvent: event, EventType, SubscribedEventType } = schemas;
  if (!event) return;
  const mapping: Record<string, string> = {};
  for (const [type, { post }] of Object.entries(webhooks)) {
    const media = post?.requestBody?.content['application/json'];
    if (!media || !('properties' in media.schema) || !media.schema.properties?.data) {
      throw new Error(`openapi/events.yaml: the schema of the webhook ${type} has no property data`);
    }
    const operationId = type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Event`;
    schemas[name] = {
      ...event,
      description: `${post.summary}.`,
      properties: {
        ...event.properties,
        type: { ...event.properties?.type, const: type },
        ...media.schema.properties,
      },
    };
    mapping[type] = `#/components/schemas/${name}`;
    media.schema = { $ref: mapping[type] };
    post.operationId = operationId;
  }
  schemas.ApiEvent = {
    description: event.description,
    discriminator: { propertyName: 'type', mapping },
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
  };
  for (const schema of [EventType, SubscribedEventType]) schema?.enum?.push(...Object.keys(webhooks));
}
