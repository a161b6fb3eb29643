/** Shows whether each environment can take requests, for as long as the page is visible. */

const PERIOD = 10_000;

const summary = document.querySelector('#health');
const rows = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-environment]'))];
const [main] = rows.map((row) => row.dataset.environment);

check();
setInterval(() => document.hidden || check(), PERIOD);
document.addEventListener('visibilitychange', () => document.hidden || check());

async function check() {
  const { states, message } = await ask();
  for (const row of rows) show(row.querySelector('.health'), states[row.dataset.environment ?? '']);
  // Read out only when it changes.
  if (summary !== null && summary.textContent !== message) summary.textContent = message;
}

/** @returns {Promise<{ states: Record<string, string>, message: string }>} */
async function ask() {
  try {
    const response = await fetch('readyz', { cache: 'no-store' });
    const body = await response.json();
    const states = { ...body, [`${main}`]: response.ok ? 'ok' : 'unavailable' };
    return { states, message: response.ok ? '' : body.message };
  } catch {
    return { states: { [`${main}`]: 'unavailable' }, message: 'The service does not answer.' };
  }
}

/**
 * @param {Element | null} cell
 * @param {string | undefined} state
 */
function show(cell, state) {
  if (cell === null) return;
  cell.textContent = state === 'ok' ? 'Ready' : state === undefined ? 'Unknown' : 'Unavailable';
  cell.className = `health ${state === 'ok' ? 'up' : state === undefined ? '' : 'down'}`;
}
