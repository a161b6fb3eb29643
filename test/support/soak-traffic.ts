/** Clients of several resources that repeat each write with its Idempotency-Key until it succeeds, and keep a ledger. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

const CLIENTS = 8;
/** Milliseconds between two requests of a client, which leave CPU time for the faults. */
const PAUSE = 50;
const RETRY_DELAY = 500;
/** Each request must be answered within 20 s. The second is for a machine that runs other tests. Milliseconds. */
const MAX_DURATION = 21_000;
const BATCH_ROWS = 20;
const IMPORT_ROWS = 200;
/** Rounds of a client from one import to the next. */
const ROUNDS_PER_IMPORT = 10;

interface Response {
  status: number;
  body: { code?: string; data?: unknown; meta?: { next_cursor: string | null; has_more?: boolean } };
}

/** What the service acknowledged last. A lead has one writer, so this is its current state. */
interface Lead {
  id: string;
  name: string;
  version: number;
}

interface Event {
  id: string;
  type: string;
  data: { object: { id: string; version: number } };
}

export class SoakTraffic {
  /** Until then, requests may fail (`performance.now()`). */
  mayFailUntil = 0;
  /** The latest fault, to name it in violations. */
  during = 'before any fault';
  readonly violations: string[] = [];
  readonly #baseUrl: string;
  readonly #newToken: () => Promise<string>;
  readonly #leads = new Map<string, Lead>();
  readonly #contacts: string[] = [];
  readonly #notes = new Map<string, string[]>();
  readonly #durations: number[] = [];
  #token = '';
  #isStopped = false;
  #clients: Promise<void>[] = [];

  constructor(baseUrl: string, newToken: () => Promise<string>) {
    this.#baseUrl = baseUrl;
    this.#newToken = newToken;
  }

  start(): void {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client());
  }

  /** Resolves when every write is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  get summary(): string {
    const sorted = this.#durations.toSorted((a, b) => a - b);
    const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    return `${sorted.length} responses, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, ${this.#leads.size} leads`;
  }

  /** Sends a request until it succeeds, and returns the `data` of the response. */
  async call(method: string, path: string, body?: object | string): Promise<unknown> {
    return (await this.#persist(method, path, body)).body.data;
  }

  async list(path: string): Promise<unknown[]> {
    const rows: unknown[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page = `${path}${path.includes('?') ? '&' : '?'}per_page=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await this.#persist('GET', page);
      rows.push(...(body.data as unknown[]));
      cursor = body.meta?.next_cursor;
    }
    return rows;
  }

  async events(): Promise<Event[]> {
    const events: Event[] = [];
    for (let after = '', more = true; more; ) {
      const { body } = await this.#persist('GET', `/events?per_page=500${after && `&cursor=${after}`}`);
      events.push(...(body.data as Event[]));
      after = body.meta?.next_cursor ?? '';
      more = body.meta?.has_more ?? false;
    }
    return events;
  }

  /** Whatever was acknowledged is stored once, in its last version, with one event for each version of a lead. */
  async expectKept(): Promise<void> {
    const contacts = (await this.list('/contacts')) as { name: string }[];
    expect(contacts.map(({ name }) => name).toSorted()).toEqual(this.#contacts.toSorted());
    const leads = (await this.list('/leads')) as Lead[];
    const stored = leads.map(({ id, name, version }): [string, Lead] => [id, { id, name, version }]);
    expect(new Map(stored.toSorted())).toEqual(new Map([...this.#leads].toSorted()));
    for (const [lead, texts] of this.#notes) {
      const notes = (await this.list(`/notes?lead_id=${lead}`)) as { text: string }[];
      expect(notes.map(({ text }) => text).toSorted()).toEqual(texts.toSorted());
    }
    const changes = (await this.events()).filter(({ type }) => /^lead\.(created|updated)$/.test(type));
    const versions = Map.groupBy(changes, ({ data }) => data.object.id);
    for (const { id, version } of this.#leads.values()) {
      const recorded = versions.get(id)?.map(({ data }) => data.object.version);
      expect(recorded).toEqual(Array.from({ length: version }, (_, index) => index + 1));
    }
  }

  async #client(): Promise<void> {
    for (let round = 1; !this.#isStopped; round += 1) {
      const lead = await this.#createLead();
      const steps = [
        () => this.#addContacts('/contacts', 1, (names) => ({ name: names[0] })),
        () => this.call('GET', `/leads/${lead.id}`),
        () => this.#addNote(lead),
        () => this.call('GET', '/leads?per_page=20&status=new'),
        () => this.#update(lead),
        () => this.call('GET', `/leads?search=${lead.name.slice(0, 8)}`),
        () => this.call('GET', `/leads/${lead.id}/events`),
        () =>
          this.#addContacts('/contacts/batch/create', BATCH_ROWS, (names) => ({
            items: names.map((name) => ({ name })),
          })),
        () => this.call('GET', '/events?per_page=50&cursor=latest'),
        () => this.#update(lead),
        () => this.call('GET', '/analytics/summary'),
      ];
      if (round % ROUNDS_PER_IMPORT === 0)
        steps.push(
          () => this.#import(),
          () => this.#delete(lead),
        );
      for (const step of steps) {
        if (this.#isStopped) break;
        await step();
        await sleep(PAUSE);
      }
    }
  }

  async #createLead(): Promise<Lead> {
    const name = randomUUID();
    const lead = (await this.call('POST', '/leads', { name, email: `${name}@example.com` })) as Lead;
    return this.#record(lead);
  }

  #record({ id, name, version }: Lead): Lead {
    const lead = { id, name, version };
    this.#leads.set(id, lead);
    return lead;
  }

  async #update({ id }: Lead): Promise<void> {
    this.#record((await this.call('PATCH', `/leads/${id}`, { name: randomUUID() })) as Lead);
  }

  async #delete({ id }: Lead): Promise<void> {
    await this.call('DELETE', `/leads/${id}`);
    this.#leads.delete(id);
    this.#notes.delete(id);
  }

  async #addNote({ id }: Lead): Promise<void> {
    const text = randomUUID();
    await this.call('POST', '/notes', { lead_id: id, text });
    this.#notes.set(id, [...(this.#notes.get(id) ?? []), text]);
  }

  async #addContacts(path: string, count: number, body: (names: string[]) => object): Promise<void> {
    const names = Array.from({ length: count }, () => randomUUID());
    await this.call('POST', path, body(names));
    this.#contacts.push(...names);
  }

  async #import(): Promise<void> {
    const names = Array.from({ length: IMPORT_ROWS }, () => randomUUID());
    const file = ['name', ...names].join('\n');
    const { id } = (await this.call('POST', '/imports?resource=contacts', file)) as { id: string };
    const isDone = async () =>
      ((await this.call('GET', `/imports/${id}`)) as { status: string }).status === 'completed';
    while (!(await isDone())) await sleep(RETRY_DELAY);
    this.#contacts.push(...names);
  }

  async #persist(method: string, path: string, body?: object | string): Promise<Response> {
    const key = randomUUID();
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#send(method, path, body, key);
      if (response !== undefined && response.status < 300) return response;
      // The first attempt deleted it, but its response was lost.
      if (response?.status === 404 && method === 'DELETE' && attempt > 1) return response;
      // 409: the attempt without a response still runs. 401: the token has expired.
      if (response !== undefined && response.status < 500 && ![401, 409].includes(response.status))
        throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(response.body)}`);
      await sleep(RETRY_DELAY);
    }
  }

  async #send(method: string, path: string, body: object | string | undefined, key: string) {
    const start = performance.now();
    const mayFail = () => start < this.mayFailUntil;
    const isText = typeof body === 'string';
    try {
      if (this.#token === '') this.#token = (await this.#newToken()) ?? '';
      const response = await fetch(this.#baseUrl + path, {
        method,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          'Content-Type': isText ? 'text/csv' : 'application/json',
          ...(method !== 'GET' && { 'Idempotency-Key': key }),
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(2 * MAX_DURATION),
      });
      const { status } = response;
      const text = await response.text();
      if (status === 401) this.#token = '';
      if (status === 500 || (status > 500 && !mayFail()))
        this.#violate(`${method} ${path}: ${status} ${text}`);
      this.#durations.push(performance.now() - start);
      return { status, body: text === '' ? {} : JSON.parse(text) } as Response;
    } catch (error) {
      if (!mayFail()) this.#violate(`${method} ${path}: ${(error as Error).cause ?? error}`);
      return undefined;
    } finally {
      const duration = performance.now() - start;
      if (duration > MAX_DURATION) this.#violate(`${method} ${path} took ${Math.round(duration)} ms`);
    }
  }

  #violate(what: string): void {
    this.violations.push(`${what} (${this.during})`);
  }
}
