const MOST_TERMS = 3;

/** The groups with the entries that have every word of the phrase, in their names or in a term. `found` are these terms. */
export function search(groups, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  // Without a filter, hundreds of schemas are but a link.
  if (words.length === 0) {
    return groups.map((group) => (group.name === 'Schemas' ? { ...group, entries: [] } : group));
  }
  return groups
    .map((group) => {
      const entries = group.entries.flatMap((entry) => match(entry, words));
      // Those whose names match come first.
      return { ...group, entries: entries.sort((a, b) => a.found.length - b.found.length) };
    })
    .filter(({ entries }) => entries.length > 0);
}

function match(entry, words) {
  const names = entry.names.join('\n').toLowerCase();
  const inside = words.filter((word) => !names.includes(word));
  const found = entry.terms.filter(({ name }) => inside.some((word) => name.toLowerCase().includes(word)));
  const isMatch = inside.every((word) => found.some(({ name }) => name.toLowerCase().includes(word)));
  if (!isMatch) return [];
  return [{ ...entry, found: found.slice(0, MOST_TERMS).map(({ kind, name }) => `${kind} ${name}`) }];
}
