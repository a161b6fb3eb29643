type Row = Record<string, string | number | null>;

/** Result of a CLI command. --json prints only the data; otherwise a table under the title is printed. */
export interface Report {
  title: string;
  data: Row | Row[];
  /** Printed instead of the title and the table, for `$(…)`. */
  text?: string;
  /** What --json prints, if it is more than the table. */
  json?: object;
  /** Overrides the exit code implied by `failed`. */
  exitCode?: number;
  /** Makes the command exit with code 1. */
  failed?: boolean;
}

export function formatReport({ title, data, text }: Report): string {
  if (text !== undefined) return `${text}\n`;
  if (!Array.isArray(data)) return `${title}\n\n${table(Object.entries(data))}\n`;
  const [first] = data;
  if (first === undefined) return `${title} none.\n`;
  return `${title}\n\n${table([Object.keys(first), ...data.map((row) => Object.values(row))])}\n`;
}

function table(rows: Row[string][][]): string {
  const cells = rows.map((row) => row.map((cell) => String(cell ?? '-')));
  const widths = (cells[0] ?? []).map((_cell, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => `  ${line(row).trimEnd()}\n`).join('');
}
