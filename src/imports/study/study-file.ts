import type { Declared } from '../../metadata/declared.ts';
import type { Principal } from '../../principal.ts';
import type { Remark } from '../../table-files/fault.ts';
import { doubtsOf, remark } from '../mapping/doubts.ts';
import { isField } from '../mapping/fields.ts';
import { hintOf } from '../mapping/hints.ts';
import { withoutPastTimes } from '../mapping/past-times.ts';
import { type FileStart, proposeMapping, understand } from '../mapping/propose-mapping.ts';
import { decideStyles } from '../mapping/styles.ts';
import type { Checks } from '../run/check-bodies.ts';
import type { Findings, ImportOptions } from '../tables.ts';
import { checkSample } from './check-sample.ts';

type Options = Pick<
  ImportOptions,
  'resource' | 'format' | 'match' | 'on_duplicate' | 'defaults' | 'values' | 'locale' | 'default_country'
>;
type Understood = Awaited<ReturnType<typeof understand>>;

/** How rows are checked, and the keys of metadata that have a type. */
interface Knowledge {
  checks: Checks;
  declared: Declared;
}

/** Findings that depend on the mapping. */
type Study = Omit<Findings, 'warnings'>;

/** Proposes a mapping, and finds what a person should know before the import starts. */
export async function studyFile(
  file: FileStart,
  options: Options,
  { principal, ...knowledge }: Knowledge & { principal: Principal },
): Promise<{ mapping: ImportOptions['mapping']; findings: Study }> {
  const { resource, match } = options;
  const understood = await understand(resource, file, knowledge.declared);
  const proposed = proposeMapping(resource, understood.columns, match);
  const { mapping, ignored } = withoutPastTimes(principal, { resource, mapping: proposed });
  const findings = await judge(file, understood, { ...options, mapping, decided: [] }, knowledge);
  return {
    mapping,
    findings: { ...findings, unused_columns: findings.unused_columns.map(tellPast(ignored)) },
  };
}

/** Finds the same again after a client has changed the mapping or other options. */
export async function studyAgain(
  file: FileStart,
  before: Findings,
  options: Options & { mapping: ImportOptions['mapping']; decided: readonly string[] },
  knowledge: Knowledge,
): Promise<Study> {
  const understood = await understand(options.resource, file, knowledge.declared);
  const findings = await judge(file, understood, options, knowledge);
  const ignored = before.unused_columns.filter(({ hint }) => hint === PAST).map(({ column }) => column);
  return { ...findings, unused_columns: findings.unused_columns.map(tellPast(ignored)) };
}

async function judge(
  file: FileStart,
  { columns, isOwnExport }: Understood,
  { decided, ...options }: Options & { mapping: ImportOptions['mapping']; decided: readonly string[] },
  knowledge: Knowledge,
): Promise<Study> {
  const { resource, mapping } = options;
  const { columns: names, sample } = file;
  const styles = await decideStyles(names, sample, (column) => mapping[column] !== null);
  const own = new Set(decided);
  const free = columns.filter(({ name }) => !own.has(name));
  const doubts: Remark[] = doubtsOf({ ...file, resource, columns, free, mapping, isOwnExport, options });
  const failing = await checkSample(
    { ...options, columns: [...names], findings: { styles, isOwnExport } },
    sample,
    knowledge,
  );
  const columnOf = new Map<string, string>();
  for (const [column, field] of Object.entries(mapping)) {
    if (field !== null && !columnOf.has(field)) columnOf.set(field, column);
  }
  const unused = columns.filter(({ name, isExpanded }) => !mapping[name] && !isExpanded);
  return {
    doubts: [...doubts, ...missed(resource, isOwnExport ? [] : free, mapping), ...failing],
    unused_columns: unused.map((column) => ({
      column: column.name,
      hint: hintOf(resource, column, { columnOf, isOwnExport }),
    })),
    decided,
    styles,
    isOwnExport,
  };
}

/** What columns mean that a person would miss. */
const MISSED: ReadonlySet<string> = new Set(['note', 'value.amount', 'opt-out']);

function missed(
  resource: Options['resource'],
  columns: Understood['columns'],
  mapping: ImportOptions['mapping'],
): Remark[] {
  if (!isField(resource, 'note')) return [];
  return columns
    .filter(({ name, meaning = '', shapes }) => !mapping[name] && shapes.filled > 0 && MISSED.has(meaning))
    .map(({ name }) =>
      remark(
        'unused_columns',
        name,
        `The column ${name} would be left out. Map it to a field, such as note, or ignore it with null.`,
      ),
    );
}

const PAST = 'To import times of the past, you need the scope admin.';

/** Says so for columns that were left out because the client may not import them. */
function tellPast(ignored: readonly string[]) {
  return (unused: Findings['unused_columns'][number]) =>
    ignored.includes(unused.column) ? { ...unused, hint: PAST } : unused;
}
