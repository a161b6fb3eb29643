const HINT = 'Filter by path, summary, tag or operationId';

/** Filters operations and webhooks: every word must be part of the tag, path, summary, method or operationId. */
export const filter = () => ({
  fn: {
    opsFilter: (taggedOperations, phrase) =>
      taggedOperations
        .map((group, tag) =>
          group.update('operations', (operations) =>
            operations.filter((entry) =>
              matches(phrase, [tag, entry.get('path'), entry.get('method'), ...labels(entry)]),
            ),
          ),
        )
        .filter((group) => group.get('operations').size > 0),
  },
  statePlugins: {
    spec: {
      wrapSelectors: {
        selectWebhooksOperations:
          (select, { layoutSelectors }) =>
          (state, ...rest) =>
            filterWebhooks(select(state, ...rest), layoutSelectors.currentFilter()),
      },
    },
  },
  components: { FilterContainer },
  wrapComponents: { operations: sayIfNoneMatches },
});

function filterWebhooks(webhooks, phrase) {
  if (typeof phrase !== 'string') return webhooks;
  const kept = ([name, entries]) =>
    entries.some(({ method, operation }) =>
      matches(phrase, ['webhooks', name, method, ...labels(operation)]),
    );
  return Object.fromEntries(Object.entries(webhooks).filter(kept));
}

function labels(entry) {
  return ['summary', 'operationId'].map((name) => entry.getIn(['operation', name]) ?? '');
}

function matches(phrase, texts) {
  const text = texts.join('\n').toLowerCase();
  return phrase
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function FilterContainer({ getSystem, layoutActions }) {
  const { createElement, useEffect, useState } = getSystem().React;
  const [phrase, setPhrase] = useState('');
  useEffect(() => {
    // Waits for a pause in typing, because the whole page is redrawn.
    const timer = setTimeout(() => layoutActions.updateFilter(phrase.trim() || true), 200);
    return () => clearTimeout(timer);
  }, [phrase, layoutActions]);
  return createElement(
    'div',
    { className: 'filter wrapper', role: 'search' },
    createElement('input', {
      className: 'operation-filter-input',
      type: 'search',
      placeholder: HINT,
      'aria-label': HINT,
      value: phrase,
      onChange: (event) => setPhrase(event.target.value),
    }),
  );
}

function sayIfNoneMatches(Operations, { React: { createElement }, layoutSelectors, specSelectors }) {
  return (props) =>
    specSelectors.taggedOperations().size === 0
      ? createElement(
          'p',
          { className: 'wrapper', role: 'status' },
          `No operation matches “${layoutSelectors.currentFilter()}”.`,
        )
      : createElement(Operations, props);
}
