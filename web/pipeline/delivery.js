/** @import { Api, InboundDelivery, InboundHook } from './api.js' */
import { describe } from './api.js';
import { element, isolate } from './dom.js';
import { formatInstant } from './format.js';
import { may } from './session.js';

const title = element('h2', { id: 'delivery-title' });
const content = element('div');
const failure = element('p', { className: 'error', role: 'alert' });
const again = element('button', { type: 'button', className: 'primary' }, 'Process again');
const close = element('button', { type: 'button' }, 'Close');
const buttons = element('p', { className: 'buttons' }, again, close);
const dialog = element('dialog', { id: 'delivery' }, title, content, failure, buttons);
dialog.setAttribute('aria-labelledby', title.id);
close.addEventListener('click', () => dialog.close());
document.body.append(dialog);

/**
 * Returns a function that opens a delivery to a hook: what was sent, why it made no lead, and a button that processes it
 * again, as after the hook's mapping was corrected.
 * @param {Api} api
 * @param {() => unknown} onChange
 */
export function createDeliveryDialog(api, onChange) {
  /** @type {{ hook: InboundHook, delivery: InboundDelivery } | undefined} */
  let shown;
  again.hidden = !may('webhooks:write');
  again.addEventListener('click', async () => {
    if (shown === undefined) return;
    const { hook, delivery } = shown;
    again.disabled = true;
    failure.textContent = '';
    try {
      const path = `/inbound-hooks/${hook.id}/deliveries/${delivery.id}/reprocess`;
      const { data } = await api.write('POST', path, { version: delivery.version });
      show(hook, data);
      onChange();
    } catch (error) {
      failure.textContent = describe(error);
    }
    again.disabled = false;
  });

  /** @param {InboundHook} hook @param {InboundDelivery & { payload?: unknown }} delivery */
  function show(hook, delivery) {
    const { status, lead_id, errors, warnings, created_at, payload } = delivery;
    shown = { hook, delivery };
    title.replaceChildren('A delivery to ', isolate(hook.name));
    const lead = lead_id && element('a', { href: `#${lead_id}` }, 'Open it');
    /** @type {[string, Node | string | null][]} */
    const rows = [
      ['Received', formatInstant(created_at)],
      ['Status', status],
      ['Lead', lead],
    ];
    const faults = [
      ...Object.entries(errors ?? {}).flatMap(([, messages]) => messages),
      ...warnings.map(({ field, message }) => (message.startsWith(field) ? message : `${field}: ${message}`)),
    ];
    content.replaceChildren(
      element(
        'dl',
        {},
        ...rows.flatMap(([name, value]) =>
          value ? [element('dt', {}, name), element('dd', {}, value)] : [],
        ),
      ),
      element('ul', {}, ...faults.map((fault) => element('li', {}, isolate(fault)))),
      ...(payload === undefined
        ? []
        : [
            element('h3', {}, 'What was sent'),
            element('pre', { tabIndex: 0 }, JSON.stringify(payload, null, 2)),
          ]),
    );
  }

  /** @param {InboundHook} hook @param {InboundDelivery} delivery */
  return async function open(hook, delivery) {
    failure.textContent = '';
    show(hook, delivery);
    dialog.showModal();
    try {
      show(hook, (await api.get(`/inbound-hooks/${hook.id}/deliveries/${delivery.id}`)).data);
    } catch (error) {
      failure.textContent = describe(error);
    }
  };
}
