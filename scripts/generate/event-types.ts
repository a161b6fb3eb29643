import type { Schema } from './schemas.ts';
import type { YamlFiles } from './yaml-files.ts';

interface EventType {
  /** The name of the schema of the event's `data`. */
  data: string;
  summary: string;
  description: string;
  example?: EventExample;
}

interface EventExample {
  occurred_at?: string;
  actor?: object;
  object?: object;
  changes?: Record<string, { from: unknown; to: unknown }>;
}

const refOf = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/**
 * events.yaml describes an event in general (ApiEvent), and each type in the table `x-event-types`. This makes a webhook of
 * each type, and a schema such as LeadCreatedEvent. It makes ApiEvent their union, and puts the types into the enums.
 * Subscriptions may also name a family of types, such as `lead.*`.
 */
export function addEventTypes(files: YamlFiles): void {
  const { 'events.yaml': events, 'webhooks.yaml': subscriptions } = files;
  const types = events?.['x-event-types'] as Record<string, EventType> | undefined;
  const { ApiEvent: event, EventType, ...schemas } = events?.components?.schemas ?? {};
  if (!events || !types || !event) return;
  const mapping: Record<string, string> = {};
  const webhooks: Record<string, unknown> = {};
  for (const [type, { data, summary, description, example }] of Object.entries(types)) {
    const operationId = type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
    const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Event`;
    schemas[name] = eventSchema(event, type, `${summary}.`, data);
    mapping[type] = refOf(name).$ref;
    const content = { 'application/json': { schema: refOf(name), example: eventExample(example) } };
    webhooks[type] = { post: { summary, description, requestBody: { content }, operationId } };
  }
  const ApiEvent: Schema = {
    description: event.description,
    discriminator: { propertyName: 'type', mapping },
    oneOf: Object.values(mapping).map(($ref) => ({ $ref })),
  };
  const names = Object.keys(types);
  EventType?.enum?.push(...names);
  const families = new Set(names.map((type) => `${type.split('.')[0]}.*`));
  subscriptions?.components?.schemas?.WebhookEventType?.enum?.push(...families, ...names);
  Object.assign(events, {
    webhooks,
    components: { ...events.components, schemas: { ...schemas, EventType, ApiEvent } },
  });
}

function eventSchema(event: Schema, type: string, description: string, data: string): Schema {
  const { properties = {} } = event;
  const named = { type: { ...properties.type, enum: [type] }, data: refOf(data) };
  return { ...event, description, properties: { ...properties, ...named } };
}

/** The object after a change has the new values, and the time of the event. */
function eventExample({ object, changes = {}, ...event }: EventExample = {}): object {
  const changed = Object.entries(changes).map(([name, { to }]) => [name, to]);
  if (changed.length > 0) changed.push(['updated_at', event.occurred_at]);
  return { ...event, data: { object: { ...Object.fromEntries(changed), ...object }, changes } };
}
