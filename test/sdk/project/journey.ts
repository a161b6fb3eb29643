/** The service and the client of a journey. */
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

/** The results of a journey, which must be the same with every client. */
export interface Journey {
  created: { id: string; version: number; metadata: Record<string, unknown> };
  duplicate: Failure & { existingId: string | undefined; messages: string[] | undefined };
  filtered: { names: string[]; total: number };
  walked: string[];
  /** How many of the filtered leads a bulk job would change. */
  chosen: number;
  updated: { status: string; version: number };
  stale: Failure;
  missing: Failure;
  /** Without the type of a rule, which clients of OpenAPI 3.0 don't know. */
  hook: { mapping: Record<string, unknown> };
}

/** A bulk job that only counts. */
export function job(tag: string) {
  return {
    resource: 'leads' as const,
    filter: { tag: [tag], source: ['referral' as const] },
    action: { update: { add_tags: ['seen'] } },
    dry_run: true,
  };
}

/** Has every kind of rule, and a name that the document describes only by a pattern. */
export const mapping = {
  name: '/name',
  email: '/email',
  company: { path: '/company', default: 'Unknown' },
  phone: ['/phone', "$.answers[?@.type=='phone'].phone", { path: '/mobile' }],
  note: { join: ['/subject', '/message'], with: ': ' },
  tags: ['/campaign'],
  'metadata.form': '/form_id',
};

/** Leads without some fields that have defaults, which need not be sent. */
export function people(tag: string) {
  return ['Ada', 'Blaise', 'Carl', 'Dorothy', 'Emmy'].map((name, index) => ({
    name,
    email: `${name}.${tag}@example.com`,
    source: index % 2 === 0 ? ('referral' as const) : ('website' as const),
    tags: [tag],
  }));
}

/** Narrows the type of a value that a client may not have returned. */
export function present<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('The response lacks an expected part.');
  return value;
}
