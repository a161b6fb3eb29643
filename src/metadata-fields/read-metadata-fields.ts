import { operations } from '../../generated/operations.ts';
import { conditionsOf } from '../db/list/filters.ts';
import { metadataFieldFilters, metadataFields } from '../metadata/queries.ts';
import type { Input } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { getOne, listAll } from '../resource/read.ts';
import { requireAny } from '../scopes.ts';
import { toMetadataField } from './metadata-field.ts';

export const listMetadataFields = listAll(
  metadataFields,
  (query: Input<'listMetadataFields'>['query'], { principal }) => {
    requireToRead(principal);
    return conditionsOf(metadataFieldFilters, query);
  },
  toMetadataField,
);

export const getMetadataField = getOne(metadataFields, toMetadataField, (_row, { principal }) =>
  requireToRead(principal),
);

/** Whoever reads what has the metadata may know its types. */
function requireToRead(principal: Principal): void {
  requireAny(principal, operations.listMetadataFields.scopes);
}
