/** @import { Api, HistoryEvent, Lead } from './api.js' */
import { ApiError } from './api.js';

/** @typedef {ReturnType<typeof createEventNames>} EventNames */
/** @typedef {HistoryEvent['actor']} Actor */

/**
 * The names in events: of their leads, and of who made them, which only histories have. Forgets the names of deleted leads.
 * @param {Api} api
 * @param {number} size How many events of a history to read.
 */
export function createEventNames(api, size) {
  /** Null for a lead that is gone. @type {Map<string, string | null>} */
  const leads = new Map();
  /** @type {Map<string, Actor>} */
  const actors = new Map();
  /** The leads of notes and sales cycles: a deleted note only has its id. @type {Map<string, string | null>} */
  const notes = new Map();

  /** Undefined for the note of a contact. @param {HistoryEvent} event */
  function leadOf({ type, data: { object } }) {
    const id = notes.get(object.id) ?? (type.startsWith('note.') ? null : object.id);
    return id ?? undefined;
  }

  /**
   * An answer may be older than the deletion of the lead.
   * @param {Pick<Lead, 'id' | 'name'>} lead
   */
  function learnLead({ id, name }) {
    if (leads.get(id) !== null) leads.set(id, name);
  }

  /** @param {HistoryEvent} event */
  function learn({ type, actor, data: { object } }) {
    if (actor.name !== undefined) actors.set(keyOf(actor), actor);
    if ('lead_id' in object) notes.set(object.id, object.lead_id);
    if (type === 'lead.deleted' || type === 'lead.merged') leads.set(object.id, null);
    else if ('email' in object) learnLead(object);
  }

  /**
   * The history of a lead, or nothing if the lead was deleted or merged in the meantime.
   * @param {string} id
   * @param {AbortSignal} [signal]
   * @returns {Promise<HistoryEvent[]>}
   */
  async function readHistory(id, signal) {
    try {
      /** @type {{ data: HistoryEvent[] }} */
      const { data } = await api.get(`/leads/${id}/events?per_page=${size}`, signal);
      for (const event of data.toReversed()) learn(event);
      return data;
    } catch (error) {
      if (!isGone(error)) throw error;
      leads.set(id, null);
      return [];
    }
  }

  /** @param {string} id */
  async function readLead(id) {
    try {
      /** @type {{ data: Lead }} */
      const { data } = await api.get(`/leads/${id}`);
      learnLead(data);
    } catch (error) {
      if (!isGone(error)) throw error;
      leads.set(id, null);
    }
  }

  return {
    leadOf,
    learn,
    learnLead,
    readHistory,

    /** Null for a lead that is gone, undefined if unknown. @param {string} id */
    leadName: (id) => leads.get(id),

    /** With its names if they are known. @param {Actor} actor */
    named: (actor) => actors.get(keyOf(actor)) ?? actor,

    /** Reads the names that these events lack. @param {HistoryEvent[]} events */
    async complete(events) {
      const lacking = events.filter(({ actor }) => actor.type !== 'system' && !actors.has(keyOf(actor)));
      const unnamed = new Set(lacking.map(leadOf));
      await Promise.allSettled(
        [...new Set(events.map(leadOf))].map(async (id) => {
          if (id === undefined || leads.get(id) === null) return;
          if (unnamed.has(id)) await readHistory(id);
          if (!leads.has(id)) await readLead(id);
        }),
      );
    },
  };
}

/** @param {Actor} actor */
const keyOf = ({ type, id, user_id }) => `${type} ${id} ${user_id}`;

/** Whether the lead was deleted, or merged into another one. @param {unknown} error */
const isGone = (error) => error instanceof ApiError && (error.status === 404 || error.status === 410);
