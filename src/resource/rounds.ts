/**
 * Divides items into rounds. Items in one round touch different rows, so a round runs as one statement; items that
 * share a key, directly or through others, come in different rounds, in their order. `links` are keys that belong
 * together otherwise.
 */
export function divide(
  items: readonly (readonly string[])[],
  links: readonly (readonly string[])[],
): number[][] {
  const owners = new Map<string, number>();
  const parents: number[] = [];

  function rootOf(node: number): number {
    let root = node;
    while (parents[root] !== root) root = parents[root] as number;
    parents[node] = root;
    return root;
  }

  [...items, ...links].forEach((keys, node) => {
    parents.push(node);
    for (const key of keys) {
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, node);
      // Union by age keeps paths short.
      else parents[rootOf(node)] = rootOf(owner);
    }
  });

  const rounds: number[][] = [];
  const counts = new Map<number, number>();
  items.forEach((_, index) => {
    const root = rootOf(index);
    const round = counts.get(root) ?? 0;
    counts.set(root, round + 1);
    rounds[round] ??= [];
    rounds[round].push(index);
  });
  return rounds;
}
