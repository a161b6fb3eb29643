import { namesIn, useAddress } from './addresses.js';
import { contentsOf } from './contents.js';
import { search } from './search.js';

const HINT = 'Find operations, fields, error codes';

/** The tags with their operations, and a filter. On a narrow screen, a button opens it over the page. */
export const sidebar = () => ({ components: { Sidebar } });

function Sidebar({ getSystem, specSelectors }) {
  const { React } = getSystem();
  const { createElement, Fragment, useDeferredValue, useEffect, useMemo, useState } = React;
  const [phrase, setPhrase] = useState('');
  const spec = specSelectors.specJson();
  const contents = useMemo(() => (spec.size > 0 ? contentsOf(spec.toJS()) : []), [spec]);
  const current = useAddress(React);
  const wanted = useDeferredValue(phrase.trim());
  const groups = useMemo(() => {
    const found = search(contents, wanted.toLowerCase().split(/\s+/));
    return found.map((group) => drawGroup(createElement, group, wanted, current));
  }, [contents, wanted, current]);
  useEffect(() => {
    document.querySelector('.sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return createElement(
    Fragment,
    null,
    createElement('button', { className: 'menu', popovertarget: 'sidebar' }, 'Menu'),
    createElement(
      'nav',
      { id: 'sidebar', className: 'sidebar', popover: 'auto', 'aria-label': 'Operations' },
      createElement('input', {
        type: 'search',
        placeholder: HINT,
        'aria-label': HINT,
        value: phrase,
        onChange: ({ target }) => setPhrase(target.value),
      }),
      createElement(
        'div',
        { className: 'groups', 'data-phrase': wanted },
        groups,
        contents.length > 0 &&
          groups.length === 0 &&
          createElement('p', { role: 'status' }, `Nothing matches “${wanted}”.`),
      ),
    ),
  );
}

function drawGroup(createElement, { name, link, entries }, phrase, current) {
  const isOpen = phrase !== '' || namesIn(current)[0] === namesIn(link)[0];
  // Drawing hundreds of schemas takes as long as the rest of the page.
  if (name === 'Schemas' && !isOpen) return createElement('a', { key: name, href: link }, name);
  return createElement(
    'details',
    // Another key, so that a filter opens every group, and clearing it restores them.
    { key: `${name} ${phrase !== ''}`, open: isOpen },
    createElement('summary', null, phrase ? `${name} (${entries.length})` : name),
    createElement(
      'ul',
      null,
      entries.map((entry) => drawEntry(createElement, entry, current)),
    ),
  );
}

function drawEntry(createElement, { method, title, link, found }, current) {
  return createElement(
    'li',
    { key: link },
    createElement(
      'a',
      { href: link, 'aria-current': link === current ? 'location' : undefined },
      method && createElement('span', { className: `method ${method}` }, method),
      createElement('span', null, title, found.length > 0 && createElement('small', null, found.join(', '))),
    ),
  );
}
