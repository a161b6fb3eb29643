/** @import { components } from '../../generated/api.ts' */
/** @typedef {components['schemas']['Lead']} Lead */
/** @typedef {components['schemas']['UpdateLead']} UpdateLead */
/** @typedef {components['schemas']['LeadStatus']} LeadStatus */
/** @typedef {components['schemas']['LeadSource']} LeadSource */
/** @typedef {components['schemas']['Funnel']} Funnel */
/** @typedef {components['schemas']['TimeseriesPoint']} TimeseriesPoint */
/** @typedef {components['schemas']['PipelineRow']} PipelineRow */
/** @typedef {components['schemas']['InboundHook']} InboundHook */
/** @typedef {components['schemas']['InboundDelivery']} InboundDelivery */
/** @typedef {components['schemas']['LeadListResponse']} LeadPage */
/** @typedef {components['schemas']['User']} User */
/** @typedef {components['schemas']['Note']} Note */
/** @typedef {components['schemas']['SalesCycle']} SalesCycle */
/** @typedef {components['schemas']['CurrentClient']} CurrentClient */
/** @typedef {Extract<components['schemas']['ApiEvent'], { type: `lead.${string}` }>} LeadEvent */
/** @typedef {Extract<components['schemas']['ApiEvent'], { type: `note.${string}` }>} NoteEvent */
/** @typedef {LeadEvent | NoteEvent} HistoryEvent What a lead's history has. */
/** @typedef {{ data: HistoryEvent[], meta: components['schemas']['FeedMeta'] }} FeedPage */
/** @typedef {{ client_id: string, client_secret: string }} Credentials */
/** @typedef {{ onWait(reason: string): void, onEnd(reason: string): void }} Listener */
/** @typedef {{ method?: string, headers?: Record<string, string>, body?: string, signal?: AbortSignal }} Options */
/** @typedef {{ message?: string, code?: string, errors?: Record<string, string[]>, existing_id?: string, merged_into?: string }} ErrorBody */
/** @typedef {{ body?: object, version?: number, key?: string }} Change */
/** @typedef {Awaited<ReturnType<typeof signIn>>} Api */

import { actingUser } from './session.js';

/** A token is renewed this long before it expires. Milliseconds. */
const EARLY = 60_000;
/** The longest wait for a service that can't be reached. Seconds. */
const LONGEST_WAIT = 30;

/** An error response of the API. */
export class ApiError extends Error {
  /**
   * @param {Response} response
   * @param {ErrorBody} body
   */
  constructor(response, body) {
    super(body.message ?? `The service responded with ${response.status}.`);
    this.status = response.status;
    this.code = body.code;
    /** The messages for each wrong field. @type {Record<string, string[]>} */
    this.errors = body.errors ?? {};
    /** The resource that already has the value, such as the email. */
    this.existingId = body.existing_id;
    /** The lead that a merged one became a part of. */
    this.mergedInto = body.merged_into;
    /** Seconds. */
    this.retryAfter = Number(response.headers.get('Retry-After') ?? 1);
  }
}

/**
 * Gets a token, and returns the API with it. Credentials and token are only in the variables of this function.
 * @param {string} base
 * @param {Credentials} credentials
 * @param {Listener} listener
 */
export async function signIn(base, credentials, { onWait, onEnd }) {
  let token = { value: '', expiresAt: 0 };
  /** @type {Promise<void> | undefined} */
  let renewal;
  /** Why the client may no longer sign in. Nothing is sent from then on. @type {ApiError | undefined} */
  let refusal;

  async function createToken() {
    const { access_token, expires_in } = await exchange(`${base}/auth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', ...credentials }),
    });
    token = { value: access_token, expiresAt: Date.now() + expires_in * 1000 - EARLY };
  }

  /** Requests that find the token expired share one renewal. */
  function renew() {
    renewal ??= createToken().finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  /** The client was disabled or its secret was changed. @param {unknown} error @returns {never} */
  function end(error) {
    if (error instanceof ApiError && error.status === 401) {
      refusal = error;
      onEnd(error.message);
    }
    throw error;
  }

  /**
   * @param {string} path
   * @param {Options} options
   */
  async function send(path, options = {}) {
    if (refusal !== undefined) throw refusal;
    if (Date.now() >= token.expiresAt) await renew().catch(end);
    const used = token;
    const authorized = () =>
      exchange(base + path, {
        ...options,
        headers: { ...options.headers, Authorization: `Bearer ${token.value}` },
      });
    try {
      return await authorized();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      if (token === used) await renew().catch(end);
      return authorized().catch(end);
    }
  }

  /**
   * Reads, and retries as long as waiting helps.
   * @param {string} path
   * @param {AbortSignal} [signal]
   */
  async function get(path, signal) {
    for (let failures = 0; ; failures += 1) {
      try {
        const result = await send(path, { signal });
        if (failures > 0) onWait('');
        return result;
      } catch (error) {
        const seconds = secondsToWait(error, failures);
        if (seconds === undefined) throw error;
        onWait(`${describe(error)} Trying again in ${seconds} s.`);
        await sleep(seconds * 1000);
        signal?.throwIfAborted();
      }
    }
  }

  /**
   * Writes for the acting user. With a version, the write fails if somebody else has changed the resource. With a key, it
   * takes effect only once, however often it is sent.
   * @param {'POST' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {Change} change
   */
  function write(method, path, { body, version, key }) {
    const user = actingUser();
    return send(path, {
      method,
      headers: {
        ...(user !== undefined && { 'Acting-User': user.id }),
        ...(version !== undefined && { 'If-Match': `"${version}"` }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: JSON.stringify(body),
    });
  }

  await renew();

  return {
    get,

    write,

    /**
     * Changes the lead, unless somebody else has changed it since the page read it.
     * @param {Lead} lead
     * @param {UpdateLead} changes
     * @returns {Promise<{ data: Lead }>}
     */
    updateLead: ({ id, version }, changes) => write('PATCH', `/leads/${id}`, { body: changes, version }),

    /** Revokes the token. */
    signOut: () =>
      exchange(`${base}/auth/revoke`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: token.value, ...credentials }),
      }),
  };
}

/**
 * Sends no cookies and no stored passwords, so the browser never opens its own sign-in dialog.
 * @param {string} url
 * @param {Options} options
 */
async function exchange(url, options) {
  const response = await fetch(url, { ...options, credentials: 'omit', cache: 'no-store' });
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response, body);
  return body;
}

/**
 * Undefined if waiting doesn't help.
 * @param {unknown} error
 * @param {number} failures
 */
function secondsToWait(error, failures) {
  if (error instanceof ApiError) return [429, 503].includes(error.status) ? error.retryAfter : undefined;
  return error instanceof TypeError ? Math.min(2 ** failures, LONGEST_WAIT) : undefined;
}

/**
 * If there is no answer, fetch throws a TypeError without a reason.
 * @param {unknown} error
 */
export function describe(error) {
  if (error instanceof TypeError) return 'The service can’t be reached.';
  return error instanceof Error ? error.message : String(error);
}

/** @param {number} milliseconds */
export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
