import { describe, sleep } from './api.js';
import { element, find } from './dom.js';

/**
 * A part of the page that loads separately and shows in its `.state` why loading failed.
 * @param {HTMLElement} part
 * @param {(signal: AbortSignal) => Promise<void>} load
 */
export function createPanel(part, load) {
  const state = find('.state', HTMLElement, part);
  /** @type {AbortController | undefined} */
  let loading;

  /** Aborts a pending load. Returns whether there was one. */
  function abort() {
    const wasLoading = loading !== undefined;
    loading?.abort();
    loading = undefined;
    return wasLoading;
  }

  async function refresh() {
    abort();
    const controller = new AbortController();
    loading = controller;
    const { signal } = controller;
    try {
      await load(signal);
      if (!signal.aborted) state.hidden = true;
    } catch (error) {
      if (signal.aborted) return;
      const retry = element('button', { type: 'button', onclick: refresh }, 'Try again');
      state.replaceChildren(`${describe(error)} `, retry);
      state.hidden = false;
    }
    if (loading === controller) loading = undefined;
  }
  return { refresh, abort };
}

/**
 * Returns a function that runs the task immediately, or after a pause if it has just run.
 * @param {() => Promise<unknown>} task
 * @param {number} pause Milliseconds.
 */
export function throttle(task, pause) {
  let isRunning = false;
  let isDue = false;
  return async function request() {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await task();
      await sleep(pause);
    }
    isRunning = false;
  };
}
