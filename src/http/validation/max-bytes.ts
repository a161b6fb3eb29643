import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { jsonBytes } from '../../values/json-size.ts';

const isWithinLimit: SchemaValidateFunction = (max: number, value: unknown) => {
  isWithinLimit.errors = [
    { keyword: 'x-max-bytes', message: `must have at most ${max / 1024} KiB of JSON`, params: {} },
  ];
  return jsonBytes(value) <= max;
};

/** The contract's keyword `x-max-bytes`: maximum size of an object as JSON, which JSON Schema can't express. Bytes. */
export const maxBytes: FuncKeywordDefinition = {
  keyword: 'x-max-bytes',
  type: 'object',
  schemaType: 'number',
  errors: true,
  validate: isWithinLimit,
};
