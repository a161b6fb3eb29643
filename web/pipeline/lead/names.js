/** @import { Api } from '../api.js' */
import { element, isolate } from '../dom.js';
import { may } from '../session.js';

/** @typedef {ReturnType<typeof createNames>} Names */

/** What has an id that people should read as a name. */
const kinds = /** @type {const} */ ({
  user: { path: '/users', scope: 'users:read', field: 'name' },
  contact: { path: '/contacts', scope: 'contacts:read', field: 'name' },
  content: { path: '/content', scope: 'content:read', field: 'title' },
});

/** @param {Api} api */
export function createNames(api) {
  /** @type {Map<string, Promise<string>>} */
  const known = new Map();

  /** The name, or the id if it is gone or the client may not read it. @param {string} id */
  async function read(id) {
    const kind = kinds[/** @type {keyof typeof kinds} */ (id.slice(0, id.indexOf('_')))];
    if (kind === undefined || !may(kind.scope)) return id;
    const { data } = await api.get(`${kind.path}/${id}`).catch(() => ({ data: {} }));
    return String(data[kind.field] ?? id);
  }

  /** @param {string} id */
  function nameOf(id) {
    const name = known.get(id) ?? read(id);
    known.set(id, name);
    return name;
  }

  return {
    nameOf,

    /** An element that shows the name as soon as it is known. @param {string | null} id @param {string} none */
    show(id, none = '') {
      if (id === null) return element('span', { className: 'none' }, none);
      const shown = isolate('…');
      nameOf(id).then((name) => {
        shown.textContent = name;
      });
      return shown;
    },
  };
}
