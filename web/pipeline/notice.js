import { element, find } from './dom.js';

const notice = find('#notice', HTMLElement);

/** Shows a message until it is closed, or nothing. @param {(Node | string)[]} message */
export function showNotice(...message) {
  notice.hidden = message.length === 0;
  if (message.length === 0) return;
  const close = element('button', { type: 'button', onclick: () => showNotice() }, 'Close');
  notice.replaceChildren(element('span', {}, ...message), close);
}
