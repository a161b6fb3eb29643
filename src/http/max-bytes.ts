import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { bytesOf } from '../json-size.ts';

const isShort: SchemaValidateFunction = (most: number, value: unknown) => {
  isShort.errors = [
    { keyword: 'x-max-bytes', message: `must have at most ${most / 1024} KiB of JSON`, params: {} },
  ];
  return bytesOf(value) <= most;
};

/** `x-max-bytes` in the contract: how long an object that is sent may be as JSON in all, which JSON Schema can't say. */
export const maxBytes: FuncKeywordDefinition = {
  keyword: 'x-max-bytes',
  type: 'object',
  schemaType: 'number',
  errors: true,
  validate: isShort,
};
