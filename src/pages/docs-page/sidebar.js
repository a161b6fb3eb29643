import { contentsOf } from './contents.js';
import { search } from './search.js';

const HINT = 'Find operations, fields, error codes';

/** The tags with their operations, and a filter. On a narrow screen it is a menu. */
export const sidebar = () => ({ components: { Sidebar } });

function Sidebar({ getSystem, specSelectors }) {
  const { createElement, useDeferredValue, useEffect, useMemo, useState } = getSystem().React;
  const [phrase, setPhrase] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  const spec = specSelectors.specJson();
  const contents = useMemo(() => (spec.size > 0 ? contentsOf(spec.toJS()) : []), [spec]);
  const current = window.location.hash;
  const wanted = useDeferredValue(phrase.trim());
  const groups = useMemo(
    () => search(contents, wanted).map((group) => drawGroup(createElement, group, wanted, current)),
    [contents, wanted, current],
  );
  useEffect(() => {
    const close = ({ type, key, target }) => {
      if (type === 'click' ? target.closest?.('.sidebar a') : key === 'Escape') setIsOpen(false);
    };
    for (const type of ['keydown', 'click']) document.addEventListener(type, close);
    return () => {
      for (const type of ['keydown', 'click']) document.removeEventListener(type, close);
    };
  }, []);

  return createElement(
    'nav',
    { className: `sidebar${isOpen ? ' is-open' : ''}`, 'aria-label': 'Operations' },
    createElement(
      'button',
      { className: 'menu', 'aria-expanded': isOpen, onClick: () => setIsOpen(!isOpen) },
      'Menu',
    ),
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
      wanted !== '' &&
        groups.length === 0 &&
        createElement('p', { role: 'status' }, `Nothing matches “${wanted}”.`),
    ),
  );
}

function drawGroup(createElement, { name, link, entries }, phrase, current) {
  const label = phrase ? `${name} (${entries.length})` : name;
  if (entries.length === 0) return createElement('a', { key: name, className: 'group', href: link }, name);
  return createElement(
    // Another key, so that a filter opens every group, and clearing it restores them.
    'details',
    { key: `${name} ${phrase !== ''}`, open: phrase !== '' || current.startsWith(`${link}/`) },
    createElement('summary', { className: 'group' }, label),
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
      createElement('span', null, title, found?.length > 0 && createElement('small', null, found.join(', '))),
    ),
  );
}
