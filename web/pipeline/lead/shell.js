import { find } from '../dom.js';

/** Narrower than this, the panel covers the page. */
const narrow = matchMedia('(max-width: 1100px)');

/**
 * The empty panel: where it stands, how it closes, and what has the focus. On a wide screen it stands next to the page, which
 * stays usable. On a narrow one it covers the page, which is inert meanwhile.
 * @param {object} options
 * @param {() => boolean} options.mayClose
 */
export function createShell({ mayClose }) {
  const part = find('#lead', HTMLElement);
  const title = find('h2', HTMLElement, part);
  const said = find('.said', HTMLElement, part);
  /** @type {Element | null} What had the focus before. */
  let opener = null;
  let opened = '';

  function arrange() {
    const covers = !part.hidden && narrow.matches;
    part.setAttribute('role', covers ? 'dialog' : 'complementary');
    part.ariaModal = covers ? 'true' : null;
    for (const behind of document.querySelectorAll('body > main, body > header')) {
      behind.toggleAttribute('inert', covers);
    }
  }
  narrow.addEventListener('change', arrange);

  function close() {
    if (!mayClose()) return;
    history.pushState(null, '', location.pathname + location.search);
    dispatchEvent(new HashChangeEvent('hashchange'));
  }

  find('.close', HTMLButtonElement, part).addEventListener('click', close);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || part.hidden) return;
    const { target } = event;
    const isElsewhere =
      target instanceof Element && !part.contains(target) && target.matches('input, textarea, select');
    if (isElsewhere || document.querySelector('dialog[open], :popover-open') !== null) return;
    close();
  });

  return {
    part,
    close,
    body: find('.body', HTMLElement, part),

    /** @param {string} text */
    entitle(text) {
      find('bdi', HTMLElement, title).textContent = text;
    },

    /** Announces what has happened. @param {(Node | string)[]} message */
    say(...message) {
      said.replaceChildren(...message);
    },

    /** @param {string} id */
    show(id) {
      if (part.hidden) opener = document.activeElement;
      opened = id;
      find('.state', HTMLElement, part).textContent = 'Loading…';
      find('.state', HTMLElement, part).hidden = false;
      find('bdi', HTMLElement, title).textContent = 'Lead';
      part.hidden = false;
      part.scrollTop = 0;
      arrange();
      title.focus();
    },

    hide() {
      part.hidden = true;
      said.replaceChildren();
      arrange();
      const card = document.querySelector(`[href="#${opened}"]`);
      const next = opener?.isConnected && opener !== document.body ? opener : card;
      if (next instanceof HTMLElement) next.focus();
    },
  };
}
