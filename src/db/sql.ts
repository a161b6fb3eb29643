import type { Condition } from './list.ts';

type Binding = Condition['bindings'][number];

/** A piece of SQL with its bindings: what stands in `${…}` is a piece itself, or a value that is bound. */
export function sql(strings: TemplateStringsArray, ...values: (Condition | Binding)[]): Condition {
  const pieces = values.map((value) => (isPiece(value) ? value : { sql: '?', bindings: [value] }));
  return {
    sql: strings.reduce((text, next, index) => `${text}${pieces[index - 1]?.sql ?? ''}${next}`),
    bindings: pieces.flatMap(({ bindings }) => [...bindings]),
  };
}

/** SQL that is a constant of ours. */
export function raw(text: string): Condition {
  return { sql: text, bindings: [] };
}

/** The pieces with a word between each two, or `otherwise` when there are none. */
export function join(pieces: readonly Condition[], word: 'and' | 'or', otherwise: Condition): Condition {
  const [first = otherwise, ...others] = pieces;
  return others.reduce(
    (all, piece) => ({
      sql: `${all.sql} ${word} ${piece.sql}`,
      bindings: [...all.bindings, ...piece.bindings],
    }),
    first,
  );
}

function isPiece(value: Condition | Binding): value is Condition {
  return typeof value === 'object' && value !== null && 'sql' in value && 'bindings' in value;
}
