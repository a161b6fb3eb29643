/** @import { Api, HistoryEvent, Lead, UpdateLead } from '../api.js' */
/** @import { Undo } from '../undo.js' */
/** @import { AskReason } from './lost-reason.js' */
import { ApiError, describe } from '../api.js';
import { element, find, isolate } from '../dom.js';
import { createPanel } from '../panel.js';
import { may } from '../session.js';
import { describeMove } from '../undo.js';
import { describeConflict } from './conflict.js';
import { createCycles } from './cycles.js';
import { createDetails } from './details.js';
import { createForm } from './form.js';
import { createHistory } from './history.js';
import { createMerge } from './merge.js';
import { createNames } from './names.js';
import { createNotes } from './notes.js';
import { createOwner, createStatus } from './quick.js';
import { createRemoval } from './remove.js';
import { createShell } from './shell.js';

const HASH = /^#(lead_[0-9a-z]{26})$/;

/**
 * The panel of one lead, which the address names: `#lead_…`.
 * @param {Api} api
 * @param {object} page
 * @param {Undo} page.undo
 * @param {AskReason} page.askReason
 * @param {() => unknown} page.onChange Called after the panel has changed a lead.
 */
export function createLeadPanel(api, { undo, askReason, onChange }) {
  const names = createNames(api);
  const shell = createShell({ mayClose: isSaved });
  const { part, body, say } = shell;
  const head = element('div', { className: 'quick' });
  const main = element('div');
  let id = '';
  /** What the panel shows. @type {Lead | undefined} */
  let lead;
  /** @type {ReturnType<typeof createForm> | undefined} */
  let form;
  /** @type {{ part: HTMLElement, refresh(): Promise<void> }[]} */
  let sections = [];
  /** @type {ReturnType<typeof createNotes> | undefined} */
  let notes;

  /** What to say when the next lead is shown. @type {(Node | string)[]} */
  let arrival = [];

  /** Whether nothing would be lost. Says so otherwise. */
  function isSaved() {
    const isDirty = form !== undefined && Object.keys(form.changes()).length > 0;
    if (isDirty) form?.say('You have changes that are not saved. Save or cancel them first.');
    return !isDirty && notes?.isSaved() !== false;
  }

  const { refresh } = createPanel(part, async (signal) => {
    try {
      const { data } = await api.get(`/leads/${id}`, signal);
      // What is typed stays. Saving it finds out that the lead has changed.
      if (form === undefined && data.version !== lead?.version) show(data);
    } catch (error) {
      if (!(error instanceof ApiError) || ![404, 410].includes(error.status)) throw error;
      showGone(error);
    }
  });

  /** @param {ApiError} error */
  function showGone(error) {
    const name = lead === undefined ? 'The lead that you opened' : isolate(lead.name);
    form = undefined;
    lead = undefined;
    notes = undefined;
    if (error.mergedInto !== undefined) {
      arrival = [name, ' was merged into this lead.'];
      location.replace(`#${error.mergedInto}`);
      return;
    }
    shell.entitle('No such lead');
    body.replaceChildren(element('p', {}, name, ' does not exist, or no longer.'));
  }

  /** @param {Lead} current */
  function show(current) {
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    lead = current;
    form = undefined;
    head.hidden = false;
    shell.entitle(current.name);
    // A list in which somebody chooses stays open.
    if (head.querySelector('[aria-expanded="true"]') === null) {
      head.replaceChildren(
        createStatus(current, changeStatus),
        createOwner(api, current, names, (assigned_user_id) => save({ assigned_user_id }).catch(explain)),
      );
    }
    const button = (
      /** @type {string} */ id,
      /** @type {string} */ text,
      /** @type {() => void} */ onclick,
    ) => element('button', { type: 'button', id, onclick }, text);
    const buttons = element(
      'p',
      { className: 'buttons' },
      button('lead-edit', 'Edit', startEditing),
      button('lead-merge', 'Merge', () => askWhatToMerge(current)),
      button('lead-delete', 'Delete', () => remove(current)),
    );
    main.replaceChildren(createDetails(current, names), ...(may('leads:write') ? [buttons] : []));
    if (body.firstChild !== head)
      body.replaceChildren(head, main, ...sections.map((section) => section.part));
    if (focused !== null && !focused.isConnected) document.getElementById(focused.id)?.focus();
  }

  const askWhatToMerge = createMerge(api, (merged, survivor) => {
    if (id === survivor.id) show(survivor);
    undo.tell(isolate(merged.name), ' is a part of ', isolate(survivor.name), ' now.');
    refreshSections();
    onChange();
  });
  const remove = createRemoval(api, { undo, close: shell.close, onChange });

  /** @param {Lead['status']} status */
  async function changeStatus(status) {
    if (lead === undefined) return;
    const reason = status === 'lost' ? await askReason(lead) : null;
    if (reason === undefined) return show(lead);
    await save({ status, ...(reason && { lost_reason: reason }) }).catch(explain);
  }

  /** Saves changes of what the panel shows. @param {UpdateLead} changes */
  async function save(changes) {
    const before = /** @type {Lead} */ (lead);
    const { data } = await api.updateLead(before, changes);
    if (id === before.id) {
      say();
      show(data);
    }
    const hasMoved = before.sales_cycle.id !== data.sales_cycle.id;
    undo.offer(before, data, isolate(data.name), hasMoved ? describeMove(before, data) : ' is saved.');
    refreshSections();
    onChange();
  }

  /** A change without the form was refused. @param {unknown} error */
  async function explain(error) {
    const before = lead;
    if (lead !== undefined) show(lead);
    await refresh();
    if (error instanceof ApiError && error.status === 412 && before !== undefined && lead !== undefined) {
      say('Nothing was saved, because someone else has changed this lead. ', describeConflict(before, lead));
    } else if (lead !== undefined) say(describe(error));
  }

  function startEditing() {
    if (lead === undefined) return;
    form = createForm(api, lead, { action: 'Save', onSubmit: submit, onCancel: stopEditing });
    main.replaceChildren(form.part);
    // Saving these would discard what is typed.
    head.hidden = true;
    find('input', HTMLInputElement, form.part).focus();
  }

  function stopEditing() {
    form = undefined;
    if (lead !== undefined) show(lead);
    find('#lead-edit', HTMLButtonElement).focus();
    refresh();
  }

  /** @param {ReturnType<typeof createForm>} form */
  async function submit(form) {
    try {
      const changes = form.changes();
      if (Object.keys(changes).length > 0) await save(changes);
      stopEditing();
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const before = /** @type {Lead} */ (lead);
      ({ data: lead } = await api.get(`/leads/${id}`));
      form.say(
        'Someone else has changed this lead. ',
        describeConflict(before, /** @type {Lead} */ (lead)),
        ' Save again to change it to what stands here, or cancel to keep it as it is.',
      );
    }
  }

  const refreshSections = () => Promise.all(sections.map((section) => section.refresh()));

  function route() {
    const wanted = HASH.exec(location.hash)?.[1] ?? '';
    if (wanted === id) return;
    if (!isSaved()) {
      history.replaceState(null, '', `#${id}`);
      return;
    }
    id = wanted;
    form = undefined;
    lead = undefined;
    notes = undefined;
    if (id === '') {
      shell.hide();
      return;
    }
    notes = createNotes(api, id, { names, say });
    sections = [notes, createCycles(api, id), createHistory(api, id, names)];
    body.replaceChildren();
    shell.show(id);
    say(...arrival);
    arrival = [];
    refresh();
    refreshSections();
  }

  addEventListener('hashchange', route);
  route();

  return {
    /** Reads the lead again if the events concern it. @param {HistoryEvent[]} events */
    update(events) {
      const isConcerned = events.some(
        ({ data: { object } }) => object.id === id || ('lead_id' in object && object.lead_id === id),
      );
      // These events don't say which lead is concerned.
      const isUncertain = events.some(({ type }) => type === 'note.deleted' || type === 'lead.merged');
      if (id === '' || !(isConcerned || isUncertain)) return;
      refresh();
      refreshSections();
    },

    /** Reads the lead again. */
    refresh() {
      if (id === '') return;
      refresh();
      refreshSections();
    },
  };
}
