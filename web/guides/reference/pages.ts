/** The reference: a page of Markdown for each tag of the served document. */
import { type Answer, type Document, nameOf, type Parameter, resolved, type Schema } from './document.ts';
import { fieldsTable, sentence, typeOf } from './fields.ts';
import { type DescribedOperation, describedOperations, pageOf } from './operations.ts';

export interface ReferencePage {
  /** As in its URL. */
  name: string;
  title: string;
  markdown: string;
}

const GUIDES = '/guides/';
/** Its origin in generated/public/. */
const ORIGIN = /https:\/\/lead-pipeline\.invalid/g;

export function referencePages(document: Document): ReferencePage[] {
  const operations = describedOperations(document);
  const pages = document.tags.map((tag) => {
    const own = operations.filter((operation) => operation.tag === tag.name);
    const lines = [
      `# ${tag.name}`,
      '',
      tag.description,
      ...(tag.externalDocs ? ['', `Guide: [${tag.externalDocs.description}](${tag.externalDocs.url})`] : []),
      '',
      '| | request |',
      '|---|---|',
      ...own.map(({ operation: { operationId, summary }, method, path }) => {
        return `| [${summary}](#${operationId.toLowerCase()}) | \`${method} ${path}\` |`;
      }),
      ...own.flatMap((operation) => ['', ...section(document, operation)]),
      ...objects(document, own).flatMap(([name, schema]) => [
        '',
        `## Object ${name} {#object-${name.toLowerCase()}}`,
        '',
        schema.description ?? '',
        '',
        ...fieldsTable(document, schema),
      ]),
    ];
    return {
      name: pageOf(tag.name),
      title: tag.name,
      markdown: `${lines.join('\n').replaceAll(ORIGIN, '')}\n`,
    };
  });
  return [...pages, errorCodes(document, operations)];
}

/** Each code under its own heading, so that the search finds it, with the operations that give it. */
function errorCodes(document: Document, operations: readonly DescribedOperation[]): ReferencePage {
  const codes = Object.entries(document['x-error-codes']);
  const lines = codes.flatMap(([code, { status, cause, remedy }]) => {
    const own = operations.filter(({ operation }) => operation['x-error-codes'].includes(code));
    const links = own.map(({ operation, page }) => `[${operation.summary}](${GUIDES}${page})`);
    return [`## ${code} {#${code}}`, '', `${status}. ${cause} ${remedy}`, '', ...operationList(links)];
  });
  const about = `[Errors](${GUIDES}errors) says what they have in common.`;
  return {
    name: 'error-codes',
    title: 'Error codes',
    markdown: ['# Error codes', about, ...lines].join('\n\n'),
  };
}

const MANY = 12;

function operationList(links: readonly string[]): string[] {
  if (links.length === 0) return ['Any operation may answer with it.', ''];
  if (links.length <= MANY) return [`From: ${links.join(', ')}`, ''];
  return [`::: details From ${links.length} operations`, links.join(', '), ':::', ''];
}

function section(document: Document, { operation, method, path, tag }: DescribedOperation): string[] {
  const { operationId, summary, description, externalDocs } = operation;
  const docs = `/docs/#/${encodeURIComponent(tag)}/${operationId}`;
  const guide = externalDocs === undefined ? '' : ` · [${externalDocs.description}](${externalDocs.url})`;
  return [
    `## ${summary} {#${operationId.toLowerCase()}}`,
    '',
    `\`${method} ${path}\` · \`${operationId}\` · [Try it](${docs})${guide}`,
    '',
    description.trim(),
    '',
    ...scopes(operation.security),
    ...parameters(document, operation.parameters ?? []),
    ...body(document, operation.requestBody?.content ?? {}),
    ...samples(operation['x-codeSamples']),
    ...answers(document, operation.responses),
    ...errors(document, operation['x-error-codes']),
  ];
}

function scopes(security: Record<string, string[]>[] = []): string[] {
  const needed = [...new Set(security.flatMap((each) => Object.values(each).flat()))];
  if (security.length === 0) return ['It needs no credentials.', ''];
  if (needed.length === 0) return ['It needs credentials, but no scope.', ''];
  return [`Scope: ${needed.map((scope) => `\`${scope}\``).join(', ')}`, ''];
}

function parameters(document: Document, given: readonly Parameter[]): string[] {
  if (given.length === 0) return [];
  const rows = given.map((each) => {
    const { name, in: place, required, description, schema = {} } = resolved(document, each);
    const where = place === 'query' ? '' : ` (${place})`;
    return `| \`${name}\`${where}${required ? ' **required**' : ''} | ${typeOf(document, schema)} | ${sentence(description)} |`;
  });
  return ['**Parameters**', '', '| name | type | |', '|---|---|---|', ...rows, ''];
}

function body(document: Document, content: Record<string, { schema?: Schema }>): string[] {
  const types = Object.keys(content);
  const [first] = Object.values(content);
  if (first === undefined) return [];
  const fields = fieldsTable(document, first.schema ?? {});
  return [`**Body** (${types.map((type) => `\`${type}\``).join(', ')})`, '', ...fields, ''];
}

function samples(given: readonly { lang: string; label: string; source: string }[]): string[] {
  const languages: Record<string, string> = { Shell: 'sh', TypeScript: 'ts', Python: 'python' };
  const blocks = given.map(
    ({ lang, label, source }) => `\`\`\`${languages[lang]} [${label}]\n${source}\n\`\`\``,
  );
  return ['::: code-group', '', ...blocks, '', ':::', ''];
}

function answers(document: Document, responses: Record<string, Answer>): string[] {
  return Object.entries(responses)
    .filter(([status]) => status < '400')
    .flatMap(([status, given]) => {
      const { description, content = {} } = resolved(document, given);
      const [[type, media] = []] = Object.entries(content);
      const example = media && exampleOf(document, media);
      const name = dataName(document, media?.schema);
      const about = name === undefined ? '' : ` It has an [object ${name}](#object-${name.toLowerCase()}).`;
      const line = `**${status}** ${sentence(description)}${about}`;
      if (example === undefined) return [line, ''];
      const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
      const language = type?.includes('json') && !type.includes('nd') ? 'json' : 'text';
      return [line, '', '::: details Example', `\`\`\`${language}`, text.trimEnd(), '```', ':::', ''];
    });
}

function exampleOf(
  document: Document,
  media: { example?: unknown; examples?: Record<string, object> },
): unknown {
  const [first] = Object.values(media.examples ?? {}) as { $ref?: string; value: unknown }[];
  return media.example ?? (first && resolved(document, first).value);
}

/** The name of the schema of what an answer has as `data`. */
function dataName(document: Document, schema: Schema | undefined): string | undefined {
  const { data } = resolved(document, schema ?? {}).properties ?? {};
  if (data === undefined) return undefined;
  return nameOf(data) ?? nameOf(resolved(document, data).items ?? {});
}

/** The objects that the operations answer with, each once. */
function objects(document: Document, operations: readonly DescribedOperation[]): [string, Schema][] {
  const names = operations.flatMap(({ operation: { responses } }) =>
    Object.entries(responses)
      .filter(([status]) => status < '300')
      .flatMap(([, answer]) => Object.values(resolved(document, answer).content ?? {}))
      .map(({ schema }) => dataName(document, schema))
      .filter((name) => name !== undefined),
  );
  const schemas = document.components.schemas as Record<string, Schema>;
  return [...new Set(names)].flatMap((name): [string, Schema][] => {
    const schema = schemas[name];
    return schema === undefined ? [] : [[name, schema]];
  });
}

function errors(document: Document, codes: readonly string[]): string[] {
  const all = document['x-error-codes'];
  const rows = codes.map((code) => {
    const { status, cause, remedy } = all[code] ?? { status: 0, cause: '', remedy: '' };
    return `| ${status} | [\`${code}\`](${GUIDES}reference/error-codes#${code}) | ${sentence(cause)} ${sentence(remedy)} |`;
  });
  return [
    `**Errors** of this operation, beside [those of every operation](${GUIDES}errors#all-codes):`,
    '',
    '| status | code | |',
    '|---|---|---|',
    ...rows,
    '',
  ];
}
