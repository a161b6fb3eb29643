import { type Cell, filledCells } from './sheet-row.ts';

/** What reports write below their last row. */
const WORDS = [
  /^(?:grand |sub)?-?(?:total|totals|sum|summe|gesamt|gesamtsumme|totale|suma|totaal|somme)\b[^@]{0,30}$/iu,
  /^(?:strictly )?(?:confidential|vertraulich|confidentiel|confidencial|vertrouwelijk|riservato)\b/iu,
  /^(?:generated|exported|printed|created|downloaded|report run|erstellt|exportiert|généré|exporté|generado)\s?(?:by|on|at|from|von|am|le|par|el|por|:)/iu,
  /^(?:copyright|©|\(c\) )/iu,
  /^(?:page|seite|página|pagina) \d/iu,
  /^(?:\d[\d.,]* )?(?:rows?|records?|contacts?|leads?|zeilen|einträge|datensätze)(?: (?:in total|total|found|exported))?(?:: ?\d[\d.,]*)?$/iu,
  /^end of (?:report|file|list)\b/iu,
];

/**
 * Whether a row at the end of the file may belong to a footer, such as "Total" or "Confidential". Never a row with an email
 * address: it may be a person. `isApart` says whether a blank row stands above it.
 */
export function maybeFooter(cells: readonly Cell[], columns: number, isApart: boolean): boolean {
  if (columns < 2) return false;
  const filled = filledCells(cells);
  const [first = ''] = filled;
  const isSparse =
    filled.length === 1 ||
    (filled.length <= Math.max(2, columns / 2) && filled.length < columns && isFooterText(first));
  return isSparse && !filled.some((cell) => cell.includes('@')) && (isApart || isFooterText(first));
}

function isFooterText(cell: string): boolean {
  const text = cell.trim().slice(0, 200);
  return WORDS.some((words) => words.test(text));
}
