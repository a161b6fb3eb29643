/** @import { Api } from './api.js' */
import { prepareActingUser } from './acting-user.js';
import { describe, signIn } from './api.js';
import { createBoard } from './board.js';
import { createDeliveries } from './deliveries.js';
import { find, setText } from './dom.js';
import { createEvents } from './events.js';
import { createFilters } from './filters.js';
import { follow } from './follow.js';
import { createFunnel } from './funnel.js';
import { createAddLead } from './lead/add-lead.js';
import { createLeadPanel } from './lead/lead-panel.js';
import { createLostReason } from './lead/lost-reason.js';
import { createMoney } from './money.js';
import { showNotice } from './notice.js';
import { throttle } from './panel.js';
import { onWindowChange } from './report-window.js';
import { readSession } from './session.js';
import { createTimeline } from './timeline.js';
import { createUndo } from './undo.js';

/** Minimum interval between live updates of reports, which cost more than lists. Milliseconds. */
const REPORT_PAUSE = 10_000;
/** The same for the sums on the board, which people watch while they move leads. */
const MONEY_PAUSE = 3_000;

/** Refresh interval for changes without an event, such as a new day. Milliseconds. */
const REREAD = 60_000;

const form = find('#sign-in', HTMLFormElement);
const live = find('#live', HTMLElement);

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const failure = find('#sign-in-error', HTMLElement);
  const button = find('button', HTMLButtonElement, form);
  const secret = find('#client-secret', HTMLInputElement);
  const { base, client_id, client_secret } = Object.fromEntries(new FormData(form));
  failure.textContent = '';
  button.disabled = true;
  try {
    const api = await signIn(
      String(base),
      { client_id: String(client_id).trim(), client_secret: String(client_secret).trim() },
      { onWait: (reason) => setText(live, reason || 'Live'), onEnd: endSession },
    );
    await readSession(api);
    const askWhoActs = await prepareActingUser(api);
    secret.value = '';
    open(api);
    askWhoActs?.();
  } catch (error) {
    failure.textContent = describe(error);
    secret.select();
  } finally {
    button.disabled = false;
  }
});

/** @param {Api} api */
function open(api) {
  const environment = find('#environment', HTMLElement);
  const { environment: name = '' } = find('input[name="base"]:checked', HTMLInputElement, form).dataset;
  environment.textContent = name;
  environment.hidden = false;
  document.title = `Pipeline · ${name}`;
  form.hidden = true;
  find('#pipeline', HTMLElement).hidden = false;
  const signOut = find('#sign-out', HTMLButtonElement);
  signOut.hidden = false;
  // Reload the page, so that nothing remains in memory.
  signOut.addEventListener('click', async () => {
    await Promise.allSettled([api.signOut()]);
    location.reload();
  });
  run(api);
}

/** @param {Api} api */
function run(api) {
  const filters = createFilters(api);
  const undo = createUndo(api, reread);
  const askReason = createLostReason(api);
  const board = createBoard(api, { filters, undo, askReason });
  createAddLead(api, { undo, onChange: reread });
  const leadPanel = createLeadPanel(api, { undo, askReason, onChange: reread });
  const events = createEvents(api);
  const money = createMoney(api, filters);
  const reports = [createFunnel(api, filters), createTimeline(api, filters)];
  const refreshDeliveries = throttle(createDeliveries(api), REPORT_PAUSE);
  const refreshReports = () => Promise.all(reports.map((refresh) => refresh()));
  const refreshReportsLater = throttle(refreshReports, REPORT_PAUSE);
  const refreshMoneyLater = throttle(money, MONEY_PAUSE);
  onWindowChange(() => Promise.all([money(), refreshReports()]));
  filters.onChange(() => Promise.all([board.restart(), money(), refreshReports()]));

  function reread() {
    board.refresh();
    leadPanel.refresh();
    refreshMoneyLater();
    refreshReportsLater();
    refreshDeliveries();
  }

  let isStarted = false;
  function start() {
    isStarted = true;
    setText(live, 'Live');
    reread();
    events.refresh();
    filters.load();
  }

  setInterval(() => {
    if (!document.hidden) reread();
  }, REREAD);

  follow(api, {
    onStart: start,
    onEvents(happened) {
      board.update(happened);
      leadPanel.update(happened);
      events.add(happened);
      refreshMoneyLater();
      refreshReportsLater();
      refreshDeliveries();
    },
  }).catch((error) => {
    if (!isStarted) start();
    setText(live, `Not live: ${describe(error)}`);
  });
}

/** The credentials are no longer valid. @param {string} reason */
function endSession(reason) {
  showNotice(`${reason} Reload the page to sign in again.`);
}
