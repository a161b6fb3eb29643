const MOST_TERMS = 3;

/** The groups with the entries that have every word, in their names or in a term. `found` are these terms. */
export function search(groups, words) {
  return groups
    .map((group) => {
      const entries = group.entries.flatMap((entry) => match(entry, words));
      // Those whose names match come first.
      return { ...group, entries: entries.sort((a, b) => a.found.length - b.found.length) };
    })
    .filter(({ entries }) => entries.length > 0);
}

function match({ names, terms, ...entry }, words) {
  const inside = words.filter((word) => !names.includes(word));
  const found = inside.map((word) => terms.filter((term) => nameOf(term).includes(word)));
  if (found.some(({ length }) => length === 0)) return [];
  return [{ ...entry, found: found.flat().slice(0, MOST_TERMS) }];
}

/** Without its kind, so that `field` doesn't find all. */
function nameOf(term) {
  return term.slice(term.indexOf(' ')).toLowerCase();
}
