import { expandParameterId } from './ids.ts';
import { isNode, type Node } from './node.ts';
import { expandSchema } from './schemas.ts';

/** What a file says about the lists of parameters in it. */
export interface ParameterNames {
  /** The parameters in the file's components. Any other name is one of common.yaml. */
  own: readonly string[];
  /** `x-lists`: filters and sort that several operations share. */
  lists: Node;
}

/**
 * A name in `parameters` stands for the component of this file or of common.yaml, and `CreatedRange` for CreatedFrom and
 * CreatedTo. `x-list` adds `page`, `per_page` and `cursor`, then the filters that it lists or that `x-lists` has under its name.
 * `x-export` adds these filters only.
 */
export function expandParameters(operation: Node, names: ParameterNames): Node {
  const { parameters, 'x-list': list, 'x-export': exported, ...rest } = operation;
  const all = [
    ...asList(parameters),
    ...(list === undefined ? [] : ['Page', 'PerPage', 'Cursor', ...filters(list, names)]),
    ...(exported === undefined ? [] : filters(exported, names)),
  ];
  return all.length === 0 ? operation : { ...rest, parameters: expandParameterList(all, names) };
}

export function expandParameterList(parameters: unknown, names: ParameterNames): unknown {
  return asList(parameters).flatMap((parameter) =>
    typeof parameter === 'string'
      ? namesOf(parameter).map((name) => reference(name, names))
      : [expandParameter(parameter)],
  );
}

/**
 * A parameter is one of the query unless `in` says otherwise. `x-values` is a list of such values, separated by commas, and
 * `x-max-values` its length if it isn't 20. `x-sort: LeadOrder` is the order of a list.
 */
export function expandParameter(parameter: unknown): unknown {
  if (!isNode(parameter) || '$ref' in parameter) return parameter;
  const {
    name,
    in: place = 'query',
    schema,
    ...rest
  } = expandParameterId(expandValues(expandSort(parameter)));
  return {
    name,
    in: place,
    ...(place === 'path' && { required: true }),
    ...rest,
    schema: expandSchema(schema),
  };
}

function expandSort({ 'x-sort': order, ...rest }: Node): Node {
  if (order === undefined) return rest;
  return {
    name: 'sort',
    description: 'The field to sort by. A leading `-` means descending.',
    schema: { $ref: String(order).includes('#') ? order : `#/components/schemas/${order}` },
    ...rest,
  };
}

function expandValues({ 'x-values': items, 'x-max-values': maxItems = 20, ...rest }: Node): Node {
  if (items === undefined) return rest;
  return { ...rest, style: 'form', explode: false, schema: { type: 'array', minItems: 1, maxItems, items } };
}

function filters(list: unknown, { lists }: ParameterNames): unknown[] {
  return asList(typeof list === 'string' ? lists[list] : list);
}

function namesOf(name: string): string[] {
  return name.endsWith('Range') ? [name.replace(/Range$/, 'From'), name.replace(/Range$/, 'To')] : [name];
}

function reference(name: string, { own }: ParameterNames): Node {
  return { $ref: `${own.includes(name) ? '' : './common.yaml'}#/components/parameters/${name}` };
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
