/** Where a journey goes, and as whom. */
export interface Start {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** Marks the leads of this journey, so that several can share an environment. */
  tag: string;
}

interface Failure {
  status: number;
  code: string;
}

/** What a journey saw. Every client must see the same. */
export interface Journey {
  created: { id: string; version: number; metadata: Record<string, string> };
  duplicate: Failure & { existingId: string | undefined; messages: string[] | undefined };
  filtered: { names: string[]; total: number };
  walked: string[];
  updated: { status: string; version: number };
  stale: Failure;
  missing: Failure;
  hook: { mapping: Record<string, string | string[] | { path: string; default?: string }> };
}

/** Has every kind of rule, and names that the document has only a pattern for. */
export const mapping = {
  name: '/name',
  email: '/email',
  company: { path: '/company', default: 'Unknown' },
  tags: ['/campaign'],
  'metadata.form': '/form_id',
};

/** A lead with the two required fields, and others: nothing with a default has to be sent. */
export function people(tag: string) {
  return ['Ada', 'Blaise', 'Carl', 'Dorothy', 'Emmy'].map((name, index) => ({
    name,
    email: `${name}.${tag}@example.com`,
    source: index % 2 === 0 ? ('referral' as const) : ('website' as const),
    tags: [tag],
  }));
}

/** Narrows what a client may not have returned, as an assertion that the compiler understands. */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('The response has no such part.');
  return value;
}
