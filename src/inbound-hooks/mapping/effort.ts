/** Thrown when the JSONPaths of a mapping need more steps than a delivery may take. */
export class TooMuchEffort extends Error {}

/** What the JSONPaths of one delivery may still spend. A step is about a microsecond, and the same everywhere. */
export interface Effort {
  /** Throws TooMuchEffort if fewer steps are left. */
  spend(steps: number): void;
}

export function createEffort(steps: number): Effort {
  let left = steps;
  return {
    spend(wanted) {
      left -= wanted;
      if (left < 0) throw new TooMuchEffort();
    },
  };
}

/** Characters of a string that can be read for one step. */
const CHARACTERS_PER_STEP = 1_000;

/**
 * The same value, but reading each of its members takes a step. This bounds any query, whatever it combines,
 * independently of the library's algorithm.
 */
export function metered(root: unknown, effort: Effort): unknown {
  const views = new WeakMap<object, unknown>();
  const handler: ProxyHandler<object> = {
    get(target, name) {
      effort.spend(1);
      return view(Reflect.get(target, name));
    },
    has(target, name) {
      effort.spend(1);
      return Reflect.has(target, name);
    },
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      effort.spend(keys.length);
      return keys;
    },
    getOwnPropertyDescriptor(target, name) {
      effort.spend(1);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  };
  function view(value: unknown): unknown {
    if (typeof value === 'string') effort.spend(Math.ceil(value.length / CHARACTERS_PER_STEP));
    if (typeof value !== 'object' || value === null) return value;
    const known = views.get(value) ?? new Proxy(value, handler);
    views.set(value, known);
    return known;
  }
  return view(root);
}
