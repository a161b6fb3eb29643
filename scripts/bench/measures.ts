/** The requests that the bench measures. */
import { type ApiRequest, send, type Target } from './load.ts';
import { type ResourceName, resources } from './resources.ts';
import type { Ids } from './seed.ts';

export interface Measure {
  /** The key in the line that --json prints: what is done with leads; with the others, the resource follows. */
  name: string;
  /** Minimum ratio of the API's requests per second to the yardstick's. */
  bound: number;
  /** Builds the request number `turn`. Cursors differ: each server reads only its own. */
  next(cursors: Cursors, turn: number): ApiRequest;
}

/** Of one server. */
export interface Cursors {
  /** Where a list of leads continues after its 50th page. */
  leads: string;
  /** Where the event log continues after its first events. */
  events: string;
}

/** Lists, pages, search and events. */
const LIST_BOUND = 0.55;
/** Requests for one row. */
const ROW_BOUND = 0.8;

export async function readCursors(target: Target, hasLeads: boolean): Promise<Cursors> {
  const cursor = async (path: string) => {
    const { meta } = (await send(target, { method: 'GET', path })) as { meta: { next_cursor: string } };
    return meta.next_cursor;
  };
  return {
    leads: hasLeads ? await cursor('/leads?page=50') : '',
    events: await cursor('/events?limit=10'),
  };
}

function list(name: string, path: (cursors: Cursors) => string): Measure {
  return { name, bound: LIST_BOUND, next: (cursors) => ({ method: 'GET', path: path(cursors) }) };
}

const leadLists = [
  list('list_1', () => '/leads?per_page=1'),
  list('list_100', () => '/leads?per_page=100'),
  list('list_status', () => '/leads?status=new'),
  list('page_far', () => '/leads?page=2500'),
  list('cursor', ({ leads }) => `/leads?cursor=${leads}`),
  // Two hundred hits.
  list('search', () => '/leads?search=company+777'),
];

function rowMeasures(resource: ResourceName, known: readonly string[], suffix: string): Measure[] {
  const { body, patch } = resources[resource];
  const path = (turn: number) => `/${resource}/${known[turn % known.length]}`;
  const measure = (name: string, next: (turn: number) => ApiRequest): Measure => ({
    name: name + suffix,
    bound: ROW_BOUND,
    next: (_cursors, turn) => next(turn),
  });
  return [
    measure('read', (turn) => ({ method: 'GET', path: path(turn) })),
    measure('create', () => ({ method: 'POST', path: `/${resource}`, body: body() })),
    measure('patch', (turn) => ({ method: 'PATCH', path: path(turn), body: patch() })),
  ];
}

/** Leads have the most: what is the same for every resource, and each way through a long list. */
export function measuresOf(ids: Ids): Measure[] {
  return [...ids].flatMap(([resource, known]) => {
    const isLeads = resource === 'leads';
    const suffix = isLeads ? '' : ` ${resource}`;
    return [
      list(`list${suffix}`, () => `/${resource}`),
      ...(isLeads ? leadLists : []),
      ...rowMeasures(resource, known, suffix),
      ...(isLeads ? [list('events', ({ events }) => `/events?after=${events}`)] : []),
    ];
  });
}
