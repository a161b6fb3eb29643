/** The served document, as far as the reference reads it. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  anyOf?: Schema[];
  /** Values that later versions may add to. True beside `enum`. */
  'x-extensible-enum'?: unknown[] | true;
}

export interface Parameter {
  $ref?: string;
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Media {
  schema?: Schema;
  example?: unknown;
  examples?: Record<string, { $ref?: string; value: unknown }>;
}

export interface Answer {
  $ref?: string;
  description: string;
  content?: Record<string, Media>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  externalDocs?: { url: string; description: string };
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
  'x-error-codes': string[];
  'x-codeSamples': { lang: string; label: string; source: string }[];
}

export interface Document {
  tags: { name: string; description: string; externalDocs?: { url: string; description: string } }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
  'x-error-codes': Record<string, { status: number; cause: string; remedy: string }>;
}

/** What a reference stands for. Descriptions beside it count more. */
export function resolved<Node extends { $ref?: string }>(document: Document, { $ref, ...own }: Node): Node {
  if ($ref === undefined) return own as Node;
  const [, , kind = '', name = ''] = $ref.split('/');
  return { ...(document.components[kind]?.[name] as Node), ...own };
}

/** `Lead` of `#/components/schemas/Lead`. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}
