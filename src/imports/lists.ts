import { schemas } from '../../generated/limits.ts';
import { condition } from '../db/list/condition.ts';
import { conditionsOf, equals, type FilterTable, filteredBy } from '../db/list/filters.ts';
import { jobErrors } from '../jobs/queries.ts';
import type { Input } from '../operation.ts';
import { listAll, listRowsOf } from '../resource/read.ts';
import { mayRead, requireToRead, toImport, toImportError, toImportedRow } from './import.ts';
import { importFilters, imports, listedImports } from './queries.ts';
import { importedRows } from './result-queries.ts';

type Query<Id extends 'listImports' | 'listImportErrors' | 'listImportRows'> = Input<Id>['query'];

const errorFilters: FilterTable<Query<'listImportErrors'>> = { severity: equals('severity') };
const rowFilters: FilterTable<Query<'listImportRows'>> = { outcome: equals('outcome') };

export const listImports = listAll(
  listedImports,
  (query: Query<'listImports'>, { principal }) => [
    condition(`kind = 'import'`),
    condition(
      'resources <@ ?::text[]',
      schemas.ImportResource.enum.filter((resource) => mayRead(principal, resource)),
    ),
    ...conditionsOf(importFilters, query),
  ],
  toImport,
);

export const listImportErrors = listRowsOf(imports, 'job_id', jobErrors, filteredBy(errorFilters), {
  check: requireToRead,
  toData: () => toImportError,
});

export const listImportRows = listRowsOf(imports, 'id', importedRows, filteredBy(rowFilters), {
  check: requireToRead,
  toData: ({ options }) => toImportedRow(options.resource),
});
