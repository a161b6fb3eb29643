import type { EventWatch, Growth } from '../context.ts';
import type { Db } from '../db/db.ts';
import type { Listener } from '../db/pool/listener.ts';
import { EVENTS } from './channels.ts';
import { findEvents, readEnd } from './queries.ts';
import type { EventRow } from './tables.ts';

/** Maximum events per query. */
const BATCH = 100;
/** Milliseconds between checks without a notification: one may be lost, or its sender may have died. */
const POLL_INTERVAL = 1_000;
/** The same while a transaction that has recorded events is open: a rollback sends no notification. */
const PENDING_INTERVAL = 100;

type Filter = Parameters<EventWatch['wait']>[1];

interface Waiting extends Filter {
  after: number;
  end(complete: number): void;
}

/**
 * Wakes requests that wait for events of an environment. The log is read once for all of them: after a notification, and at
 * intervals while any request waits.
 */
export function createEventWatch(db: Db, listener: Listener): EventWatch {
  const waiting = new Set<Waiting>();
  /** Waiting requests have been matched with the events up to here. */
  let position = 0;
  /** The log is complete up to here. The horizon itself may briefly move back. */
  let complete = 0;
  let isWoken = false;
  let isChecking = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  function wake(): void {
    if (waiting.size === 0) return;
    isWoken = true;
    if (!isChecking) void check();
  }

  async function check(): Promise<void> {
    isChecking = true;
    clearTimeout(timer);
    let isFinal = true;
    while (isWoken) {
      isWoken = false;
      // While the database is unreachable, requests continue to wait.
      isFinal = await readLog().catch(() => true);
    }
    isChecking = false;
    if (waiting.size > 0) timer = setTimeout(wake, isFinal ? POLL_INTERVAL : PENDING_INTERVAL).unref();
  }

  /** Matches new events with waiting requests. Returns true if no open transaction has recorded further events. */
  async function readLog(): Promise<boolean> {
    const { horizon, last } = await readEnd(db);
    // The log was restored from an older backup, so waiting requests must read it again.
    const isRestored = last < complete;
    complete = isRestored ? horizon : Math.max(complete, horizon);
    if (isRestored) position = complete;
    for (const one of waiting) if (isRestored || one.after > last) one.end(last);
    while (position < complete && waiting.size > 0) {
      const after = position;
      const span = {
        after,
        end: complete,
        types: undefined,
        resourceId: undefined,
        conditions: [],
        limit: BATCH,
      };
      const { rows, hasMore, dropped } = await findEvents(db, span);
      // A request may have started to wait at an earlier position meanwhile.
      if (position < after) continue;
      position = hasMore ? Number(rows.at(-1)?.position) : complete;
      for (const one of waiting) {
        // Also wake requests that have missed events because these were deleted.
        if (one.after < dropped || rows.some((row) => isWanted(one, row))) one.end(complete);
        else one.after = Math.max(one.after, position);
      }
    }
    return horizon === last;
  }

  listener.on(EVENTS, wake);

  return {
    isAtEnd: (after) => after >= complete,
    wait(after, filter, milliseconds) {
      const { promise: growth, resolve } = Promise.withResolvers<Growth>();
      const one: Waiting = {
        ...filter,
        after,
        end(complete) {
          clearTimeout(timeout);
          waiting.delete(one);
          resolve({ after: one.after, complete });
        },
      };
      const cancel = () => one.end(one.after);
      const timeout = setTimeout(cancel, milliseconds);
      position = waiting.size === 0 ? after : Math.min(position, after);
      waiting.add(one);
      if (isStopped) cancel();
      // The caller has already read the log. Notifications of later events may have been missed, so check now.
      else wake();
      return { growth, cancel };
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
      for (const one of waiting) one.end(one.after);
    },
  };
}

function isWanted({ after, types, resourceId }: Waiting, { position, type, resource_id }: EventRow): boolean {
  return (
    Number(position) > after &&
    (types === undefined || types.includes(type)) &&
    (resourceId === undefined || resourceId === resource_id)
  );
}
