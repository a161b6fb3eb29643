/** Replaces the tables of a page in docs/ that are marked by comments. */
export function fillTables(file: string, page: string, tables: Record<string, string>): string {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const place = new RegExp(`(<!-- ${name}: .* -->\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
    if (!place.test(text)) throw new Error(`${file} has no place for the table "${name}"`);
    return text.replace(place, (_, begin, end) => `${begin}\n${table}\n${end}`);
  }, page);
}

export function table(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
