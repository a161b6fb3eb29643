import type { Condition } from './list.ts';

type Binding = Condition['bindings'][number];

/** SQL with its bindings. An interpolated Condition is inserted as SQL; any other value is bound. */
export function sql(strings: TemplateStringsArray, ...values: (Condition | Binding)[]): Condition {
  const parts = values.map((value) => (isCondition(value) ? value : { sql: '?', bindings: [value] }));
  return {
    sql: strings.reduce((text, next, index) => `${text}${parts[index - 1]?.sql ?? ''}${next}`),
    bindings: parts.flatMap(({ bindings }) => [...bindings]),
  };
}

/** Constant SQL. Never pass client input. */
export function raw(text: string): Condition {
  return { sql: text, bindings: [] };
}

/** Joins the conditions with an operator; returns `fallback` if there are none. */
export function join(parts: readonly Condition[], operator: 'and' | 'or', fallback: Condition): Condition {
  const [first = fallback, ...others] = parts;
  return others.reduce(
    (all, part) => ({
      sql: `${all.sql} ${operator} ${part.sql}`,
      bindings: [...all.bindings, ...part.bindings],
    }),
    first,
  );
}

function isCondition(value: Condition | Binding): value is Condition {
  return typeof value === 'object' && value !== null && 'sql' in value && 'bindings' in value;
}
