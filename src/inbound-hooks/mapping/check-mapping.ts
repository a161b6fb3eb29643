import { schemas } from '../../../generated/limits.ts';
import type { Schema } from '../../operation.ts';
import { type FieldErrors, invalidFields } from '../../problem.ts';
import { checkSize } from '../../resource/fields.ts';
import type { Mapping } from '../tables.ts';
import { faultOfJsonPath } from './json-path.ts';

type Part = Schema<'MappingPart'>;

const MAX_PATHS = 200;
const NAMES = ['name', 'name.prefix', 'name.first', 'name.middle', 'name.last', 'name.suffix'];

/** Throws 422 for what the schema can't say: a wrong JSONPath, an unclear rule, no name, or too many paths. */
export function checkMapping(mapping: Mapping): Mapping {
  const errors: FieldErrors = {};
  const parts = Object.entries(mapping).map(([field, rule]) => [field, [rule].flat() as Part[]] as const);
  for (const [field, rules] of parts) {
    const faults = rules.flatMap(faultsOfPart);
    if (faults.length > 0) errors[`mapping.${field}`] = faults.slice(0, 5);
  }
  if (!('email' in mapping)) errors['mapping.email'] = ['is required'];
  if (!NAMES.some((name) => name in mapping)) {
    errors['mapping.name'] = ['is required, unless a part of the name such as name.last is mapped'];
  }
  if (parts.flatMap(([, rules]) => rules.flatMap(pathsOf)).length > MAX_PATHS) {
    errors.mapping = [`must not have more than ${MAX_PATHS} paths`];
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
  return checkSize('mapping', mapping, schemas.CreateInboundHookMapping['x-max-bytes']);
}

function faultsOfPart(part: Part): string[] {
  if (typeof part !== 'string') {
    const { path, join, with: separator } = part;
    if ((path === undefined) === (join === undefined)) return ['must have either path or join'];
    if (join === undefined && separator !== undefined) return ['must have with only together with join'];
  }
  return pathsOf(part).flatMap(faultsOfPath);
}

export function faultsOfPath(path: string): string[] {
  if (!path.startsWith('$')) return [];
  const fault = faultOfJsonPath(path);
  return fault === undefined ? [] : [`must be a JSONPath (RFC 9535), but ${path} is none: ${fault}`];
}

function pathsOf(part: Part): string[] {
  return typeof part === 'string' ? [part] : [part.path ?? [], part.join ?? []].flat();
}
